import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { ParseOptions, ReviewGate } from '@warrant/review-policy';
import { type FolderReviewStore, findKnowledgeBase, openKnowledgeBase } from '@warrant/review-policy/files';
import type { Command } from 'commander';
import { knowVersions } from '../agent/version-kind.ts';
import type { CommandCall } from '../cli/command.ts';
import type { ExitCode } from '../cli/exit-codes.ts';

/** Options of every command that works on a review queue. */
export type DeskOptions = { readonly kb?: string; readonly as?: string };

/** A review queue with the one who works at it. */
export type ReviewDesk = {
  readonly gate: ReviewGate;
  /** Who decides and files on this command line. */
  readonly person: string;
  /** Who files through a server. */
  readonly agent: string;
  /** The knowledge base; undefined for a workspace. */
  readonly base?: FolderReviewStore;
};

/** Declares the common options of review commands. */
export function withDeskOptions(command: Command): Command {
  return command
    .option('--kb <folder>', 'a vouch knowledge base (default: a .vouch folder here or above, else the workspace)')
    .option('--as <name>', 'who acts (default: VOUCH_AGENT, VOUCH_USER or the login; in a workspace `person`)');
}

/** Runs work at the knowledge base that was named or lies here or above, else at the workspace's queue. */
export async function atDesk(
  call: CommandCall<DeskOptions>,
  work: (desk: ReviewDesk) => Promise<ExitCode>,
  options: { readonly readOnly?: boolean } = {},
): Promise<ExitCode> {
  const found = knowledgeFolder(call);
  if (found !== undefined) return atKnowledgeBase(call, found, work);
  const { withWorkspace } = await import('../cli/with-workspace.ts');
  const at = async ({ reviewer, config }: { reviewer: ReviewGate; config: { person: string; agent: string } }) => {
    await warnOfPolicy(call, reviewer);
    await knowVersions(reviewer);
    return work({
      gate: reviewer,
      person: call.options.as ?? config.person,
      agent: call.options.as ?? config.agent,
    });
  };
  return withWorkspace(call, at, options);
}

/** The knowledge base that a call is about, or undefined. */
export function knowledgeFolder(call: CommandCall<DeskOptions>): string | undefined {
  const from = resolve(call.terminal.directory, call.options.directory ?? '.');
  return call.options.kb === undefined ? findKnowledgeBase(from) : resolve(call.terminal.directory, call.options.kb);
}

async function atKnowledgeBase(
  call: CommandCall<DeskOptions>,
  root: string,
  work: (desk: ReviewDesk) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { environment } = call.terminal;
  const { gate, store } = await openKnowledgeBase({ root, loadCompiler });
  const agent = call.options.as ?? named(environment['VOUCH_AGENT']);
  const person = agent ?? named(environment['VOUCH_USER']) ?? userInfo().username;
  await warnOfPolicy(call, gate);
  return work({ gate, person, agent: agent ?? 'unknown-agent', base: store });
}

/** Conditions of the extension `cel` need a library that few policies use. */
export async function loadCompiler(): Promise<NonNullable<ParseOptions['compileExpression']>> {
  const { createExpressionCompiler } = await import('@warrant/review-policy/cel');
  return createExpressionCompiler();
}

function named(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}

// Whatever is asked, nobody should take a queue under a broken policy for one without.
async function warnOfPolicy(call: CommandCall, gate: ReviewGate): Promise<void> {
  const { policy } = await gate.settings();
  if (policy.type !== 'invalid') return;
  const faults = policy.faults.map((fault) => `  ${fault.code} ${fault.path === '' ? '/' : fault.path}\n`);
  call.terminal.writeError(`review.policy is invalid; everything waits for a person.\n${faults.join('')}`);
}
