import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatFault } from '@warrant/core/documents';
import { type PolicyTestReport, testPolicies } from '@warrant/policy/files';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Ran = Extract<PolicyTestReport, { readonly type: 'ran' }>;

export const command: CommandModule = {
  configure: (command) =>
    void command.argument('<file>', 'examples with their expected decisions (warrant.policy-test/1)'),
  run: (call) =>
    withWorkspace(call, async ({ policies, grounder, guarding }) => {
      const file = resolve(call.terminal.directory, call.words[0] ?? '');
      const report = await testPolicies(
        await policies.load(),
        { file, text: await readFile(file) },
        {
          grounder: {
            check: ({ minDepth = guarding.minDepth, ...query }) =>
              grounder.check({ ...query, ...(minDepth === undefined ? {} : { minDepth }) }),
          },
        },
      );
      if (report.type === 'faulty') {
        print(call, report, report.faults.map(formatFault).join('\n'));
        return exitCodes.usage;
      }
      const mark = (passed: boolean) => (passed ? paint(call, 'green', 'pass') : paint(call, 'red', 'FAIL'));
      const lines = report.results.map(
        (one) => `${mark(one.passed)} ${one.name}${one.problem === null ? '' : ` (line ${one.line}): ${one.problem}`}`,
      );
      print(call, report, [...lines, ...summary(report)].join('\n'));
      return report.failed === 0 ? exitCodes.ok : exitCodes.no;
    }),
};

function summary(report: Ran): readonly string[] {
  return [
    `${report.passed} passed, ${report.failed} failed`,
    ...(report.neverExercised.length > 0 ? [`never exercised: ${report.neverExercised.join(', ')}`] : []),
    ...(report.neverFired.length > 0 ? [`asked but never fired: ${report.neverFired.join(', ')}`] : []),
  ];
}
