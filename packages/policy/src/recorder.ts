import {
  canonicalJson,
  type Digest,
  digest,
  digestBytes,
  type Entry,
  foldName,
  isWarrantError,
  type Json,
  type JsonObject,
  type ToolCall,
  WarrantError,
} from '@warrant/core';
import { encodeAnswers } from './answer-codes.ts';
import { bounded } from './bounded.ts';
import type { CheckedCall } from './check-call.ts';
import type { ConditionAnswer } from './decide.ts';
import type { GuardSetup } from './guard-setup.ts';
import type { GroundingFacts } from './read-grounding.ts';
import type { RecordedFailure, RecordedOutcome, RecordedVerdict } from './record-types.ts';
import { excerpt, type RecordableResult, recordableError } from './recordable.ts';
import { MAX_RECORDED_REASONS } from './replay.ts';

/** Content that the journal has had from this guard, so that it is sent once. */
const MAX_KNOWN_CONTENT = 5000;

type DecisionRecord = {
  readonly checked: CheckedCall;
  readonly outcome: RecordedOutcome;
  readonly approval: JsonObject | null;
  readonly startSeq: number | null;
  /** A record of which the journal may hold one: a second one means that the call was run before. */
  readonly onceId: string | null;
};

/** Writes what a guarded call came to. Every method does nothing, and says `no`, without a journal. */
export interface Recorder {
  /**
   * @returns the id of the verdict's entry, or null without a journal.
   * @throws POLICY_APPROVAL_USED when `onceId` is known already; whatever the journal throws.
   */
  decision(record: DecisionRecord): Promise<string | null>;
  failure(call: ToolCall, error: unknown): Promise<boolean>;
  observation(
    call: ToolCall,
    verdictId: string,
    outcome: 'ok' | 'error' | 'not-run',
    result: RecordableResult,
  ): Promise<boolean>;
}

const NO_RECORDER: Recorder = {
  decision: () => Promise.resolve(null),
  failure: () => Promise.resolve(false),
  observation: () => Promise.resolve(false),
};

export function createRecorder(setup: GuardSetup): Recorder {
  const { journal } = setup.options;
  if (journal === undefined) return NO_RECORDER;
  const known = new Set<string>();
  /** @returns ids that the journal had already. */
  const append = async (entries: readonly Entry[]): Promise<ReadonlySet<string>> => {
    const work = journal.append(setup.stream, entries, { expected: 'any' });
    const appended = await bounded(work, 'the journal', { ...setup.storeBounds, signal: undefined });
    switch (appended.type) {
      case 'appended':
        return new Set(appended.skipped.map((entry) => entry.id));
      case 'duplicate':
        return new Set(entries.map((entry) => entry.id));
      default:
        throw new WarrantError('POLICY_RECORD_FAILED', 'the journal answered a conflict', { retryable: true });
    }
  };
  return {
    decision: async (record) => {
      const entries = await decisionEntries(setup, record, known);
      const verdict = entries.at(-1) as Entry;
      if (record.onceId === null && known.has(verdict.id)) return verdict.id;
      await (record.onceId === null ? append(entries) : appendOnce(append, entries, record));
      for (const entry of entries) if (entry !== verdict || record.startSeq === null) remember(known, entry.id);
      return verdict.id;
    },
    failure: (call, error) => attempt(setup, call, () => append([failureEntry(setup, call, error)])),
    observation: (call, verdictId, outcome, result) =>
      attempt(setup, call, () => append([observationEntry(setup, call, verdictId, outcome, result)])),
  };
}

async function appendOnce(
  append: (entries: readonly Entry[]) => Promise<ReadonlySet<string>>,
  entries: readonly Entry[],
  record: DecisionRecord,
): Promise<void> {
  const { id } = record.checked.verdict.call;
  try {
    const known = await append(entries);
    if (record.onceId !== null && known.has(record.onceId)) throw approvalUsed(id);
  } catch (error) {
    throw isWarrantError(error, 'JOURNAL_ID_REUSED') ? approvalUsed(id) : error;
  }
}

export function approvalUsed(callId: string): WarrantError {
  return new WarrantError('POLICY_APPROVAL_USED', 'this call was approved and run before; a new call needs a new id', {
    data: { callId },
  });
}

async function attempt(setup: GuardSetup, call: ToolCall, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    setup.report({ type: 'record-failed', callId: call.id, error });
    return false;
  }
}

async function decisionEntries(
  setup: GuardSetup,
  record: DecisionRecord,
  known: ReadonlySet<string>,
): Promise<readonly Entry[]> {
  const { checked } = record;
  const { call, inputs } = checked.verdict;
  const facts = factsEntry(setup, checked);
  const policy = (await isRecorded(setup, inputs.policy, known)) ? [] : policyEntries(checked);
  const isViewKnown = await isRecorded(setup, inputs.view, known);
  const view = isViewKnown ? [] : await viewEntries(setup, checked);
  const content = [...view, ...policy, facts].filter((entry) => !known.has(entry.id));
  const viewRecorded = isViewKnown || view.length > 0;
  const data = verdictData(setup, record, facts.id as Digest, viewRecorded);
  const fixed =
    record.onceId ?? (record.startSeq === null ? `guard/${shortDigest([call.id, data])}` : setup.ids.next());
  const about = { correlationId: call.id, ...(call.actor === undefined ? {} : { agentId: call.actor }) };
  return [...content, { id: fixed, type: 'guard.verdict', schemaVersion: 1, data, ...about }];
}

async function isRecorded(setup: GuardSetup, content: Digest, known: ReadonlySet<string>): Promise<boolean> {
  if (known.has(content)) return true;
  const answer = setup.options.isRecorded?.(content) ?? false;
  return typeof answer === 'boolean'
    ? answer
    : bounded(answer, 'the journal', { ...setup.storeBounds, signal: undefined });
}

function verdictData(setup: GuardSetup, record: DecisionRecord, facts: Digest, viewRecorded: boolean): Json {
  const { checked, outcome, approval, startSeq } = record;
  const { verdict } = checked;
  const data: RecordedVerdict = {
    call: recordedCall(setup, verdict.call),
    extraction: setup.extraction,
    minDepth: setup.options.minDepth ?? null,
    cardinality: checked.cardinality,
    dormant: setup.dormant,
    inputs: verdict.inputs,
    facts,
    viewRecorded,
    ...encodeAnswers(checked.answers.map((answer) => cleanAnswer(setup, answer))),
    decision: verdict.decision,
    enforced: verdict.enforced,
    outcome,
    reasons: verdict.reasons
      .slice(0, MAX_RECORDED_REASONS)
      .map((reason) => [reason.code, policyOf(reason.data).slice(0, 40)]),
    approval: approval === null ? null : (excerpt(approval, 400) as JsonObject),
    startSeq,
  };
  return data as unknown as Json;
}

/** A condition's words may repeat the arguments. */
function cleanAnswer(setup: GuardSetup, answer: ConditionAnswer): ConditionAnswer {
  if (answer.message === null || answer.message === '') return answer;
  const message = setup.replace(answer.message);
  return { ...answer, message: typeof message === 'string' ? message : null };
}

/** The call as it is stored: secrets replaced, long arguments by their digest, size and beginning. */
export function recordedCall(setup: GuardSetup, call: ToolCall): JsonObject {
  const clean = (value: Json): Json => setup.replace(value);
  return {
    tool: shortText(call.tool),
    actor: call.actor === undefined ? null : shortText(call.actor),
    directory: call.directory === undefined ? null : excerpt(clean(call.directory), 256),
    arguments: excerpt(clean(call.arguments), 800),
    ...(call.labels === undefined ? {} : { labels: excerpt(clean(call.labels as unknown as Json), 300) }),
  };
}

function policyEntries(checked: CheckedCall): readonly Entry[] {
  const data = [...checked.declarations()];
  if (data.length === 0) return [];
  return [{ id: checked.verdict.inputs.policy, type: 'policy.set', schemaVersion: 1, data }];
}

async function viewEntries(setup: GuardSetup, checked: CheckedCall): Promise<readonly Entry[]> {
  const { graph } = setup.options;
  if (graph === undefined || checked.concepts.length === 0) return [];
  const view = await bounded(graph.view(checked.concepts), 'the graph', { ...setup.storeBounds, signal: undefined });
  // The graph moved since the check: another view's content must not stand under this digest.
  if (view.digest !== checked.verdict.inputs.view) return [];
  const { names, primitives } = view.snapshot();
  const content = primitives.map((primitive) =>
    contentEntry('graph.primitive', setup.replace(primitive as unknown as Json)),
  );
  const data = setup.replace({
    names: [...new Set(names.map(foldName))].sort(),
    primitives: content.map((entry) => entry.id).sort(),
  });
  // Content stands under its own digest or not at all; with a secret in it, not at all.
  if (digest(data) !== view.digest) return [];
  return [...content, { id: view.digest, type: 'graph.view', schemaVersion: 1, data }];
}

function failureEntry(setup: GuardSetup, call: ToolCall, error: unknown): Entry {
  const { result } = recordableError(error, setup.options.secrets);
  const data: RecordedFailure = { call: recordedCall(setup, call), stage: 'before', error: excerpt(result, 600) };
  return entryOf(setup, call, 'guard.failed', data as unknown as Json);
}

function observationEntry(
  setup: GuardSetup,
  call: ToolCall,
  verdictId: string,
  outcome: 'ok' | 'error' | 'not-run',
  result: RecordableResult,
): Entry {
  const data = { callId: call.id, endSeq: setup.sessionOf(call).next(), outcome, ...result };
  return { ...entryOf(setup, call, 'guard.observation', data as unknown as Json), causationId: verdictId };
}

function entryOf(setup: GuardSetup, call: ToolCall, type: string, data: Json): Entry {
  const agent = call.actor === undefined ? {} : { agentId: call.actor };
  return { id: setup.ids.next(), type, schemaVersion: 1, data, correlationId: call.id, ...agent };
}

/** Calls of a tool share their facts for as long as the graph stays: they are named once. */
const factsEntries = new WeakMap<GroundingFacts, Entry>();

function factsEntry(setup: GuardSetup, { facts, verdict }: CheckedCall): Entry {
  const known = factsEntries.get(facts);
  if (known !== undefined) return known;
  const { gaps } = verdict.grounding;
  // Names of concepts may have been worked out from arguments.
  const data = setup.replace({ ...(facts as unknown as JsonObject), gaps: gaps as unknown as Json });
  const entry = contentEntry('guard.facts', data);
  if (gaps.length === 0) factsEntries.set(facts, entry);
  return entry;
}

function contentEntry(type: string, data: Json): Entry {
  return { id: digest(data), type, schemaVersion: 1, data };
}

function shortDigest(data: Json): string {
  return digestBytes(canonicalJson(data)).slice('sha256:'.length, 'sha256:'.length + 24);
}

function shortText(text: string): Json {
  return excerpt(text, 200);
}

function policyOf(data: JsonObject): string {
  const key = data['policy'];
  return typeof key === 'string' ? key : '';
}

function remember(known: Set<string>, id: string): void {
  if (known.size >= MAX_KNOWN_CONTENT) {
    const oldest = known.values().next();
    if (oldest.done !== true) known.delete(oldest.value);
  }
  known.add(id);
}
