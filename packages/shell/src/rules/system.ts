import { parseArguments, tableOf } from '../options.ts';
import { change, touch, unknown } from '../sink.ts';
import type { ProgramCall } from './call.ts';

const SYSTEMCTL =
  '-H,--host=:network -M,--machine= -t,--type= -p,--property= -P= -n,--lines= -o,--output= --state= -s,--signal= --root= ' +
  '--job-mode= --what= --kill-whom= --image= --timestamp= --when=';
const SYSTEMCTL_READS = new Set(
  'status is-active is-enabled is-failed list-units list-unit-files list-timers show cat'.split(' '),
);

export function systemctl(call: ProgramCall): void {
  const { sink } = call;
  const { operands, options, undetermined } = parseArguments(call.args, tableOf(SYSTEMCTL));
  if (options.some(({ spec }) => spec.action === 'network')) sink.network = true;
  if (undetermined !== null) unknown(sink, 'undetermined-option', undetermined);
  const [subcommand] = operands;
  if (subcommand === undefined || SYSTEMCTL_READS.has(subcommand.text ?? '')) return;
  if (subcommand.text === null) unknown(sink, 'unknown-subcommand', subcommand);
  else change(sink);
}

/** `crontab -l` lists; everything else sets what will run later. */
export function crontab(call: ProgramCall): void {
  const { args, sink } = call;
  const { options, operands, undetermined } = parseArguments(
    args,
    tableOf('-l -u= -e:unknown -r:unknown -i:unknown -n:unknown -T:unknown'),
  );
  const lists =
    options.some(({ spec }) => spec.name === '-l') && !options.some(({ spec }) => spec.action === 'unknown');
  if (!lists || operands.length > 0 || undetermined !== null) unknown(sink, 'runs-code', args[0] ?? call.own);
}

const SHELL_OPTION = /^[-+]/;

/** A shell that was not unwrapped: it tells its version, runs a file, or reads commands from its input. */
export function shell(call: ProgramCall): void {
  const { args, sink } = call;
  if (args.some(({ text }) => text === '--version' || text === '--help')) {
    const before = args.slice(
      0,
      args.findIndex(({ text }) => text === '--version' || text === '--help'),
    );
    if (before.every(({ text }) => text !== null && SHELL_OPTION.test(text))) return;
  }
  const file = args.find(({ text }) => text === null || !SHELL_OPTION.test(text));
  if (file !== undefined) touch(sink, 'reads', file);
  unknown(sink, file === undefined ? 'dynamic-script' : 'script', file ?? call.own);
}
