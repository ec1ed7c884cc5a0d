import { diffPolicies, renderPolicyDiff } from '@warrant/review-policy';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { type DeskOptions, withDeskOptions } from '../review/desk.ts';
import { readPolicyFile } from '../review/input.ts';
import { policyOf } from '../review/policy-of.ts';

export const command: CommandModule<DeskOptions> = {
  configure: (command) =>
    void withDeskOptions(command)
      .argument('<file>', 'a policy file; alone: compared with the policy in force')
      .argument('[after]', 'another one: the first is before, this is after'),
  run: (call) => {
    const [first = '', second] = call.words;
    const before = second === undefined ? undefined : first;
    return policyOf(call, before, async (policy) => {
      const diff = diffPolicies(policy, await readPolicyFile(call.terminal.directory, second ?? first));
      print(call, diff, renderPolicyDiff(diff));
      if (diff.type === 'invalid') return exitCodes.usage;
      return diff.type === 'equivalent' ? exitCodes.ok : exitCodes.no;
    });
  },
};
