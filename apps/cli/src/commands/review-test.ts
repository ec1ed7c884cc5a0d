import { readPolicyTests, renderPolicyTests, runPolicyTests } from '@warrant/review-policy';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { type DeskOptions, withDeskOptions } from '../review/desk.ts';
import { readValue } from '../review/input.ts';
import { policyOf } from '../review/policy-of.ts';

type Options = DeskOptions & { readonly policy?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withDeskOptions(command)
      .argument('<file>', 'examples: tests with a proposal and the expected action, rule and reason')
      .option('--policy <file>', 'the policy to test (default: the one in force)'),
  run: (call) =>
    policyOf(call, call.options.policy, async (policy) => {
      const tests = readPolicyTests(await readValue(call.terminal.directory, call.words[0] ?? ''));
      if (policy.type === 'none')
        return refuse(call, exitCodes.missing, 'CLI_POLICY_MISSING', 'There is no review.policy.');
      if (policy.type === 'invalid')
        return refuse(call, exitCodes.usage, 'CLI_POLICY_INVALID', 'The policy is invalid.');
      const report = runPolicyTests(policy, tests);
      print(call, report, renderPolicyTests(report));
      return report.failed === 0 ? exitCodes.ok : exitCodes.no;
    }),
};
