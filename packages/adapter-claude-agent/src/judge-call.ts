import {
  type Appended,
  clipText,
  type Entry,
  type GuardOutcome,
  type Inbox,
  type JsonObject,
  type Labels,
  type Question,
  type Verdict,
} from '@warrant/core';
import { type GuardSession, guard, toolResult } from '@warrant/policy';
import { askInbox } from './ask-inbox.ts';
import type { CallReading } from './read-call.ts';
import type { Setup } from './settings.ts';

/** A call as it is judged. */
export type JudgedCall = {
  /** Named by session and call, the same in every process. */
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly directory: string;
  readonly labels: Labels;
  readonly confirmations: readonly string[];
};

/** What the guard says of a call, with its records. */
export type Judgement = {
  readonly type: 'passes' | 'approved' | 'ungrounded' | 'blocked' | 'confirm' | 'declined' | 'failed';
  /** For the model: why, and what would help. */
  readonly text: string;
  /** Codes of the reasons, the first six. */
  readonly codes: readonly string[];
  readonly records: readonly Entry[];
  readonly confirmations: readonly string[];
};

/** Grounding, policies and, with `ask: inbox`, a person. Nothing runs: the client does that. */
export async function judgeCall(setup: Setup, call: JudgedCall, reading: CallReading): Promise<Judgement> {
  const { guard: parts, store } = setup.options;
  const passes: Judgement = { type: 'passes', text: '', codes: [], records: [], confirmations: call.confirmations };
  if (parts === undefined || reading.concepts.length === 0) return passes;
  const records: Entry[] = [];
  const confirmations = new Set(call.confirmations);
  const asksInbox = setup.ask === 'inbox' && setup.mode !== 'observe';
  const { inbox, ...rest } = parts;
  const guarded = guard((_input: JsonObject) => true, {
    ...rest,
    name: call.tool === '' ? 'unnamed-tool' : clipText(call.tool, 200),
    concepts: () => reading.concepts,
    cardinality: () => reading.cardinality,
    effects: () => reading.effects,
    inbox: asksInbox && inbox !== undefined ? inbox : CLIENT,
    journal: { append: async (_stream, entries) => collect(records, call.id, entries) },
    isRecorded: (content) => store.holds?.(content) ?? false,
    session: sessionOf(confirmations),
    ids: { next: createNamer(call.id) },
    enforce: setup.mode !== 'observe',
    wait: asksInbox,
  });
  const outcome = await guarded.run([call.arguments], {
    id: call.id,
    directory: call.directory === '' ? '.' : call.directory,
    labels: call.labels,
    ...(asksInbox ? { signal: AbortSignal.timeout(setup.askTimeoutMs) } : {}),
  });
  const judged = { ...judgementOf(outcome, records), records, confirmations: [...confirmations] };
  if (!asksInbox || inbox === undefined || setup.mode !== 'ask') return judged;
  if (judged.type !== 'ungrounded' && judged.type !== 'blocked') return judged;
  return askInbox(setup, { call, judged, inbox, verdict: verdictOf(outcome) });
}

function verdictOf(outcome: GuardOutcome<unknown>): Verdict | null {
  return outcome.verdict ?? null;
}

/** The verdict is wanted, not the run: what is said of a run that did not happen here is left out. */
function collect(records: Entry[], call: string, entries: readonly Entry[]): Appended {
  // A call that cannot be checked has no name of its own there.
  const named = entries.map((entry) => (entry.correlationId === '' ? { ...entry, correlationId: call } : entry));
  records.push(...named.filter((entry) => entry.type !== 'guard.observation'));
  return { type: 'appended', first: 1, last: entries.length, cursor: '', digest: NOTHING, skipped: [] };
}

const NOTHING = `sha256:${'0'.repeat(64)}` as const;

function judgementOf(
  outcome: GuardOutcome<unknown>,
  records: readonly Entry[],
): Pick<Judgement, 'type' | 'text' | 'codes'> {
  const codes = (outcome.verdict?.reasons ?? []).slice(0, 6).map((reason) => reason.code);
  const text = toolResult(outcome);
  switch (outcome.type) {
    case 'executed': {
      // Only watching: what would have been is in the verdict.
      const { decision } = outcome.verdict;
      if (decision !== 'allow' && outcome.verdict.enforced === false) {
        return { type: decision === 'block' ? 'blocked' : decision, text: '', codes };
      }
      return { type: wasAsked(records) ? 'approved' : 'passes', text: '', codes };
    }
    case 'ungrounded':
    case 'blocked':
    case 'declined':
      return { type: outcome.type, text, codes };
    case 'pending':
      return { type: 'confirm', text: questionText(outcome.question), codes };
    case 'failed':
      return { type: 'failed', text, codes: codes.length > 0 ? codes : ['claude.check-failed'] };
    default:
      return outcome satisfies never;
  }
}

/** True when a person's answer from the inbox was used up for this call, and not one that lasts for the session. */
function wasAsked(records: readonly Entry[]): boolean {
  const verdict = records.find((entry) => entry.type === 'guard.verdict');
  const approval = (verdict?.data as { readonly approval?: JsonObject | null } | undefined)?.approval;
  return typeof approval?.['question'] === 'string' || typeof approval?.['$excerpt'] === 'object';
}

function questionText({ title, details }: Question): string {
  const policies = Array.isArray(details['policies']) ? details['policies'] : [];
  const messages = policies.flatMap((one) => {
    const message = (one as { readonly message?: unknown }).message;
    return typeof message === 'string' ? [message] : [];
  });
  return messages.length === 0 ? title : messages.join('; ');
}

/** Stands for the client that asks its person itself: each call asks anew, and no question is kept. */
const CLIENT: Inbox = {
  ask: async (question) => ({ type: 'asked', question }),
  pending: async () => [],
  answer: async () => ({ type: 'unknown' }),
  wait: async () => ({ type: 'withdrawn' }),
  withdraw: async () => ({ type: 'unknown' }),
  consume: async () => ({ type: 'none' }),
};

function sessionOf(confirmations: Set<string>): GuardSession {
  return {
    // The order is fixed when the verdict is kept, in one transaction with what else is kept of the session.
    next: () => 0,
    covers: (confirmation) => confirmations.has(confirmation),
    remember: (confirmation) => void confirmations.add(confirmation),
    settled: () => undefined,
    settle: () => undefined,
    reopen: () => undefined,
    end: () => confirmations.clear(),
  };
}

function createNamer(call: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${call}/${count}`;
  };
}
