import type { ParsedPolicy } from '@warrant/review-policy';
import type { CommandCall } from '../cli/command.ts';
import type { ExitCode } from '../cli/exit-codes.ts';
import { atDesk, type DeskOptions } from './desk.ts';
import { readPolicyFile } from './input.ts';

/** Runs work on the policy of a file, or else on the one in force. */
export async function policyOf(
  call: CommandCall<DeskOptions>,
  file: string | undefined,
  work: (policy: ParsedPolicy) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  if (file !== undefined) return work(await readPolicyFile(call.terminal.directory, file));
  return atDesk(call, async ({ gate }) => work((await gate.settings()).policy), { readOnly: true });
}
