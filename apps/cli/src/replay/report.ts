import { codingGate } from '@warrant/adapter-claude-agent';
import type { Json, JsonObject } from '@warrant/core';
import { createGate, replayTrace } from '@warrant/submit-gate';
import { type CallEvent, type CallVerdict, createJudge } from './judge.ts';
import type { Knowledge } from './knowledge.ts';
import type { DamagedLine, Thread, Transcript } from './read-transcripts.ts';
import { createSecretCounter } from './secrets.ts';

export type ReplayedCall = CallVerdict & {
  readonly file: string;
  readonly thread: string;
  readonly id: string;
  readonly tool: string;
  /** The command line, path or address, cut to one line. */
  readonly about: string;
};
type UnverifiedClaim = {
  readonly file: string;
  readonly thread: string;
  readonly turn: number;
  readonly claim: string;
  readonly reasons: readonly string[];
  /** What had been changed and never looked at. */
  readonly open: readonly string[];
};
type PlainSecret = {
  readonly file: string;
  readonly thread: string;
  readonly id: string;
  readonly where: 'arguments' | 'result' | 'message';
  readonly count: number;
};
export type ReplayReport = {
  readonly knowledge: string;
  readonly calls: readonly ReplayedCall[];
  readonly counts: { readonly [verdict in CallVerdict['verdict']]: number };
  readonly claims: number;
  readonly unverified: readonly UnverifiedClaim[];
  readonly secrets: readonly PlainSecret[];
  readonly distinctSecrets: number;
  /** The most frequent first, at most ten. */
  readonly gaps: readonly { readonly gap: string; readonly count: number; readonly example: string }[];
  readonly damaged: readonly DamagedLine[];
};

type Draft = {
  readonly calls: ReplayedCall[];
  readonly unverified: UnverifiedClaim[];
  readonly secrets: PlainSecret[];
  claims: number;
};

/** What every call, claim and text of these transcripts would have come to. Progress is told by the number of calls judged. */
export async function replayTranscripts(
  transcripts: readonly Transcript[],
  knowledge: Knowledge,
  progress: (calls: number) => void = () => undefined,
): Promise<ReplayReport> {
  const draft: Draft = { calls: [], unverified: [], secrets: [], claims: 0 };
  const judge = createJudge(knowledge);
  const counter = createSecretCounter();
  for (const thread of transcripts.flatMap((transcript) => transcript.threads)) {
    for (const event of thread.trace.events) {
      lookForSecrets(draft, thread, event, counter.look);
      if (event.type !== 'call') continue;
      draft.calls.push(described(thread, event, await judge(event), counter.replace));
      if (draft.calls.length % 500 === 0) progress(draft.calls.length);
    }
    replayClaims(draft, thread, knowledge);
  }
  return {
    knowledge: knowledge.from,
    calls: draft.calls,
    counts: countVerdicts(draft.calls),
    claims: draft.claims,
    unverified: draft.unverified,
    secrets: draft.secrets,
    distinctSecrets: counter.distinct(),
    gaps: frequentGaps(draft.calls),
    damaged: transcripts.flatMap((transcript) => transcript.damaged),
  };
}

function described(
  { file, name }: Thread,
  event: CallEvent,
  verdict: CallVerdict,
  replace: (value: Json) => Json,
): ReplayedCall {
  const about = aboutOf(replace(event.arguments) as JsonObject);
  const why = verdict.why.map((text) => replace(text) as string);
  return { file, thread: name, id: event.id, tool: event.tool, about, ...verdict, why };
}

const NAMES = ['command', 'file_path', 'path', 'notebook_path', 'pattern', 'url', 'query', 'description'];

function aboutOf(given: JsonObject): string {
  const name = NAMES.find((one) => typeof given[one] === 'string');
  const text = name === undefined ? JSON.stringify(given) : (given[name] as string);
  return text.replace(/\s+/g, ' ').slice(0, 300);
}

function lookForSecrets(
  draft: Draft,
  { file, name }: Thread,
  event: Thread['trace']['events'][number],
  look: ReturnType<typeof createSecretCounter>['look'],
): void {
  const note = (id: string, where: PlainSecret['where'], count: number): void => {
    if (count > 0) draft.secrets.push({ file, thread: name, id, where, count });
  };
  if (event.type === 'call') note(event.id, 'arguments', look(event.arguments));
  else if (event.type === 'result') note(event.id, 'result', look(event.result));
  else if (event.type === 'user' || event.type === 'message') note('', 'message', look(event.text));
}

function replayClaims(draft: Draft, { file, name, trace }: Thread, { shell, tools }: Knowledge): void {
  const gate = createGate(codingGate({ shell, ...tools }));
  const { steps } = replayTrace(gate, trace);
  let turn = 0;
  for (const step of steps) {
    if (step.what === 'turn') turn += 1;
    if (step.what !== 'submit' || step.verdict === undefined) continue;
    draft.claims += 1;
    if (step.verdict.type === 'accepted') continue;
    draft.unverified.push({
      file,
      thread: name,
      turn,
      claim: step.claim?.type ?? '',
      reasons: [...new Set(step.verdict.reasons.map((reason) => reason.message))],
      open: [...new Set(step.open.map((item) => item.targets?.join(', ') ?? `something unknown (${item.id})`))],
    });
  }
}

function countVerdicts(calls: readonly ReplayedCall[]): ReplayReport['counts'] {
  const counts = { allowed: 0, 'would-ask': 0, 'would-block': 0, ungrounded: 0 };
  for (const { verdict } of calls) counts[verdict] += 1;
  return counts;
}

const MOST_GAPS = 10;

function frequentGaps(calls: readonly ReplayedCall[]): ReplayReport['gaps'] {
  const found = new Map<string, { gap: string; count: number; example: string }>();
  for (const call of calls) {
    for (const gap of call.verdict === 'ungrounded' ? new Set(call.why) : []) {
      const known = found.get(gap);
      if (known === undefined) found.set(gap, { gap, count: 1, example: `${call.tool} ${call.about}`.slice(0, 120) });
      else known.count += 1;
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count || (a.gap < b.gap ? -1 : 1)).slice(0, MOST_GAPS);
}
