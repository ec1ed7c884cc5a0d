import { isWarrantError, type Proposal } from '@warrant/core';
import {
  checkRecord,
  type InvalidProposal,
  type PolicyDecision,
  type ReviewGate,
  renderCheck,
  toWireDecision,
} from '@warrant/review-policy';
import { type CommandCall, type CommandModule, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { atDesk, type DeskOptions, knowledgeFolder, withDeskOptions } from '../review/desk.ts';
import { findProposal, readPolicyFile, readValue } from '../review/input.ts';

type Options = DeskOptions & { readonly policy?: string };
type Call = CommandCall<Options>;

/** Every failure is 1 here: 2 says that the proposal would be blocked. */
export const command: CommandModule<Options> = {
  usageExit: () => exitCodes.no,
  configure: (command) =>
    void withDeskOptions(command)
      .argument('<proposal>', 'a file in the form of a proposal, or the id of one in the queue')
      .option('--policy <file>', 'judge a file by this policy alone, without a queue and its evidence')
      .addHelpText('after', '\nExit codes of this command: 0 would land or wait, 2 would be blocked, 1 any error.'),
  run: async (call) => {
    try {
      return await check(call);
    } catch (error) {
      if (!isWarrantError(error) && !isFileError(error)) throw error;
      const code = isWarrantError(error) ? error.code : 'FILE_IO';
      return fail(call, { class: code, message: error.message }, error.message);
    }
  },
};

async function check(call: Call): Promise<ExitCode> {
  const [what = ''] = call.words;
  const { directory } = call.terminal;
  const { policy } = call.options;
  if (policy !== undefined) {
    const parsed = await readPolicyFile(directory, policy);
    return report(call, checkRecord(parsed, await readValue(directory, what)));
  }
  const code = await atDesk(
    call,
    async ({ gate }) => {
      const found = await findProposal(gate, directory, what);
      if (found.type === 'missing') return fail(call, { class: 'not_found' }, `there is no file or proposal ${what}`);
      if (found.type === 'invalid') return report(call, { type: 'invalid-proposal', paths: found.paths });
      const explained = await gate.explain(found.proposal);
      const decision = explained.type === 'explained' ? explained.decision : explained;
      const exit = report(call, decision);
      if (decision.type === 'decided' && decision.action === 'auto_approve')
        await noteHindrance(call, gate, found.proposal);
      return exit;
    },
    { readOnly: knowledgeFolder(call) === undefined },
  );
  return code === exitCodes.missing ? exitCodes.no : code;
}

/** Rules are not all: some changes wait for a person unless a rule names them, and what is malformed lands nowhere. */
async function noteHindrance(call: Call, gate: ReviewGate, proposal: Proposal): Promise<void> {
  const filed = await gate.check(proposal);
  if (filed.would === 'approve') return;
  const [first] = filed.reasons;
  call.terminal.writeError(`note: it would not land: ${first?.message ?? filed.type}\n`);
}

function report(call: Call, decision: PolicyDecision | InvalidProposal): ExitCode {
  const { exit, stdout } = renderCheck(decision);
  if (stdout !== null) {
    // Byte for byte, whatever names hold: programs read these lines.
    if (call.options.json === true) print(call, toWireDecision(decision), '');
    else call.terminal.write(stdout);
    return exit;
  }
  const details =
    decision.type === 'invalid-proposal'
      ? decision.paths.map((path) => path || '/')
      : decision.faults.map((fault) => `${fault.code} ${fault.path}`);
  const title = decision.type === 'invalid-proposal' ? 'the proposal is invalid' : decision.reason;
  return fail(call, toWireDecision(decision)['error'], `${title}: ${details.join(', ')}`);
}

function fail(call: Call, error: unknown, message: string): ExitCode {
  if (call.options.json === true) print(call, { error }, '');
  call.terminal.writeError(`${message}\n`);
  return exitCodes.no;
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
