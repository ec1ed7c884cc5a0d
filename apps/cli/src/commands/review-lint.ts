import { lint, lintActorNames, renderLint } from '@warrant/review-policy';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import type { DeskOptions } from '../review/desk.ts';
import { withDeskOptions } from '../review/desk.ts';
import { policyOf } from '../review/policy-of.ts';

export const command: CommandModule<DeskOptions> = {
  configure: (command) =>
    void withDeskOptions(command).argument('[file]', 'a policy file (default: the policy in force)'),
  run: (call) =>
    policyOf(call, call.words[0], (policy) => {
      const { ok, findings } = lint(policy);
      const names = policy.type === 'policy' ? lintActorNames(policy) : [];
      const result = { ok, findings: [...findings, ...names] };
      print(call, result, policy.type === 'none' ? 'There is no review.policy.' : renderLint(result));
      return ok ? exitCodes.ok : exitCodes.no;
    }),
};
