import { combineLabels, foldName, type Json, type Label } from '@warrant/core';
import { type Actor, labelOf } from './actor.ts';
import { fault } from './errors.ts';
import { semanticNeighbours } from './semantic.ts';
import { frozen, type Setup } from './setup.ts';
import { knownConflicts } from './shown.ts';
import { skillSignals } from './skills/review-signal.ts';
import { valueWithoutRecalled } from './turn/echo.ts';
import { embeddedText } from './words.ts';
import { WriteLog } from './write-log.ts';
import { checkWrite, copied, type Draft, type MemoryWrite } from './write-request.ts';
import { absences, decideStep, type Prepared, type Rows, type WriteResult } from './write-step.ts';

/** How often a commit is decided again because another writer was faster. */
const MAX_ATTEMPTS = 50;

/** A result with the write as it was decided on. @internal */
export type Written = { readonly result: WriteResult; readonly draft: Draft };
/** Writes several at once, in one transaction, in their order. @throws MEMORY_BUSY when others keep changing the same keys */
export async function writeAll(
  setup: Setup,
  actor: Actor,
  writes: readonly MemoryWrite[],
  recordId?: string,
): Promise<readonly Written[]> {
  const now = setup.now();
  const drafts = writes.map((write) => checkWrite(actor, write, now));
  if (actor.type === 'agent' || actor.onBehalfOf !== undefined) await setup.register(actor.onBehalfOf ?? actor.key);
  const prepared = await prepareAll(setup, actor, drafts);
  const keys = drafts.map(({ key }) => key);
  const results = await setup.locks.hold(keys, () => retried(() => attemptAll(setup, actor, prepared, recordId)));
  const shown: Written[] = [];
  for (const [index, result] of results.entries())
    shown.push({ result: await withKnown(setup, actor, result), draft: (prepared[index] as Prepared).draft });
  return shown;
}

/** What stands against a record is told to whom may know of it. */
async function withKnown(setup: Setup, actor: Actor, result: WriteResult): Promise<WriteResult> {
  if (result.type !== 'stored' || result.conflicts.length === 0) return result;
  const conflicts = await knownConflicts(setup, actor, result.conflicts);
  if (conflicts.length === result.conflicts.length) return result;
  return { ...result, conflicts, record: frozen({ ...result.record, conflicts: conflicts.map(({ id }) => id) }) };
}

/** Other processes may be faster, again and again, but not for ever. */
async function retried<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let times = 0; times < MAX_ATTEMPTS; times += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw fault('MEMORY_BUSY', 'other writers kept changing the same keys', { attempts: MAX_ATTEMPTS });
}

/** Everything that has to be waited for is done before the transaction; texts are embedded together. */
async function prepareAll(setup: Setup, actor: Actor, drafts: readonly Draft[]): Promise<readonly Prepared[]> {
  const ready: Prepared[] = [];
  for (const draft of drafts) ready.push(await prepare(setup, actor, draft));
  const { embedder } = setup;
  if (embedder === null) return ready;
  const vectors = await embedder.embed(ready.map(({ draft }) => embeddedText(draft)));
  const prepared: Prepared[] = [];
  for (const [index, one] of ready.entries()) {
    const vector = vectors[index];
    const near =
      vector === undefined ? [] : await semanticNeighbours(setup, actor.onBehalfOf ?? actor.key, one.draft, vector);
    prepared.push({ ...one, vector, near });
  }
  return prepared;
}

/** All but what an embedder finds. */
async function prepare(setup: Setup, actor: Actor, draft: Draft): Promise<Prepared> {
  const given = draft.infer ? await inferred(setup, draft) : draft.value;
  // What was recalled is never remembered as something new; people may quote what they like.
  const value = actor.type === 'human' ? given : valueWithoutRecalled(given);
  const isEcho = value === '' && given !== '';
  const label = await labelFor(setup, actor, draft);
  return { draft: value === draft.value ? draft : { ...draft, value }, isEcho, label, vector: undefined, near: [] };
}

/** The least trust of the writer, of what the text is said to come from, and of the records that it was made from. */
async function labelFor(setup: Setup, actor: Actor, draft: Draft): Promise<Label> {
  const own = draft.label === null ? [labelOf(actor)] : [labelOf(actor), draft.label];
  if (draft.sources.length === 0) return combineLabels(own);
  const known = new Map((await setup.store.records(draft.sources)).map((record) => [record.id, record.label]));
  return combineLabels([...own, ...draft.sources.map((id) => known.get(id))]);
}

async function inferred(setup: Setup, draft: Draft): Promise<Json> {
  if (setup.infer === null) throw fault('MEMORY_INFER_MISSING', 'infer was asked for, and no function is configured');
  return copied(await setup.infer({ key: draft.key, value: draft.value }));
}

/** `undefined` when a key moved meanwhile. */
async function attemptAll(
  setup: Setup,
  actor: Actor,
  prepared: readonly Prepared[],
  recordId?: string,
): Promise<readonly WriteResult[] | undefined> {
  const heads = await setup.store.heads([...new Set(prepared.map(({ draft }) => draft.key))]);
  const rows: Rows = new Map(
    heads.map((head) => [foldName(head.key), { revision: head.revision, rows: head.records }]),
  );
  const log = new WriteLog(setup, actor);
  const batch = { now: setup.now(), log, recordId, absent: absences(setup) };
  const steps = prepared.map((one) => decideStep(setup, actor, one, rows, batch));
  const expected: { [key: string]: number } = {};
  for (const [key, { revision }] of rows) expected[key] = revision;
  const committed = await setup.store.commit(
    steps.flatMap(({ changes }) => changes),
    { expected, audit: log.entries() },
  );
  if (committed.type === 'stale') return undefined;
  const stored = steps.flatMap(({ result }, index) =>
    result.type === 'stored' ? [{ record: result.record, vector: prepared[index]?.vector }] : [],
  );
  setup.hub.tell([...steps.flatMap(({ events }) => events), ...(await signals(setup, stored))]);
  return steps.map(({ result }) => result);
}

/** The write stands by now: what skills it touches is told where it can be found out. */
async function signals(setup: Setup, stored: Parameters<typeof skillSignals>[1]): ReturnType<typeof skillSignals> {
  try {
    return await skillSignals(setup, stored);
  } catch {
    return [];
  }
}
