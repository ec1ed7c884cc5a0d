import { faultsOf } from './check.ts';
import { runDemo } from './demo.ts';

const quiet = process.argv.includes('--quiet');
const printed: string[] = [];
const result = await runDemo((text) => (quiet ? printed.push(text) : console.log(text)));
const faults = faultsOf(result);
if (quiet && faults.length > 0) console.log(printed.join('\n'));
for (const fault of faults) console.error(`not as it should be: ${fault}`);

if (!quiet) {
  console.log('\n9. On the disk, looked at afterwards');
  for (const name of [...new Set([...Object.keys(result.before), ...Object.keys(result.after)])].sort()) {
    const [before, after] = [result.before[name], result.after[name]];
    const word =
      before === undefined ? 'new' : after === undefined ? 'gone' : before === after ? 'as it was' : 'changed';
    console.log(`   ${word.padEnd(10)} ${name}`);
  }
  console.log(`
Try next, in a folder of your own:
   node apps/cli/dist/bin/warrant.cjs init
   node apps/cli/dist/bin/warrant.cjs graph seed filesystem
   node apps/cli/dist/bin/warrant.cjs check delete file
   node apps/cli/dist/bin/warrant.cjs help`);
}
process.exitCode = faults.length === 0 ? 0 : 1;
