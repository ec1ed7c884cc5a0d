import assert from 'node:assert/strict';
import type { Appended, Entry, Journal, Json } from '@warrant/core';
import fc from 'fast-check';
import { collect, expectChain, givenOf, type JournalCase } from './journal-harness.ts';

/** What a journal should hold, as simply as it can be said: lists of what callers gave. */
type Model = Map<string, Entry[]>;
type Step =
  | {
      readonly type: 'append';
      readonly stream: string;
      readonly ids: readonly number[];
      readonly data: Json;
      readonly expected: 'any' | 'none' | number;
    }
  | { readonly type: 'fork'; readonly stream: string; readonly position: number; readonly target: string }
  | { readonly type: 'reopen' };

const stream = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('append' as const),
      stream,
      ids: fc.array(fc.nat(12), { minLength: 1, maxLength: 5 }),
      data: fc.constantFrom<Json>(null, 0, '', { k: [1] }),
      expected: fc.oneof(fc.constantFrom('any' as const, 'none' as const), fc.nat(8)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('fork' as const), stream, position: fc.nat(6), target: stream }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'reopen' as const }) },
);

type Predicted = 'JOURNAL_ID_REUSED' | { readonly type: string; readonly [name: string]: unknown };

/** Ids in the order in which they come up, so that stores which rely on it are tried as well. */
function entriesOf(action: Extract<Step, { type: 'append' }>): readonly Entry[] {
  return action.ids.map((id) => ({ id: `id-${id}`, type: 't', schemaVersion: 1, data: action.data }));
}

function predictAppend(model: Model, action: Extract<Step, { type: 'append' }>): Predicted {
  const before = model.get(action.stream) ?? [];
  const after = [...before];
  const skipped: { id: string; position: number }[] = [];
  for (const one of entriesOf(action)) {
    const index = after.findIndex((other) => other.id === one.id);
    if (index < 0) after.push(one);
    else if (JSON.stringify(after[index]?.data) !== JSON.stringify(one.data)) return 'JOURNAL_ID_REUSED';
    else skipped.push({ id: one.id, position: index + 1 });
  }
  if (after.length === before.length) return { type: 'duplicate', positions: skipped.map((one) => one.position) };
  const { expected } = action;
  const isExpected = expected === 'any' || (expected === 'none' ? 0 : expected) === before.length;
  if (!isExpected) return { type: 'conflict', actual: before.length };
  model.set(action.stream, after);
  return { type: 'appended', first: before.length + 1, last: after.length, skipped };
}

function predictFork(model: Model, action: Extract<Step, { type: 'fork' }>): Predicted {
  const parent = model.get(action.stream) ?? [];
  if (action.position < 1 || action.position > parent.length) return { type: 'no-such-position', head: parent.length };
  if (model.has(action.target)) return { type: 'exists' };
  model.set(action.target, parent.slice(0, action.position));
  return { type: 'forked' };
}

async function runAppend(journal: Journal, action: Extract<Step, { type: 'append' }>): Promise<Predicted> {
  try {
    const { expected } = action;
    const result: Appended = await journal.append(action.stream, entriesOf(action), { expected });
    if (result.type !== 'appended') return result;
    return { type: result.type, first: result.first, last: result.last, skipped: result.skipped };
  } catch (error) {
    assert.equal((error as { code?: unknown }).code, 'JOURNAL_ID_REUSED');
    return 'JOURNAL_ID_REUSED';
  }
}

async function expectModel(journal: Journal, model: Model): Promise<void> {
  assert.deepEqual([...(await journal.streams())].sort(), [...model.keys()].sort());
  for (const [name, given] of model) {
    const all = await collect(journal.read(name));
    expectChain(all);
    assert.deepEqual(all.map(givenOf), given);
    assert.equal((await journal.head(name))?.digest, all.at(-1)?.digest);
  }
}

/** Runs random steps against journal and model. Needs a fresh journal a run. */
export function createModelCase(
  open: () => Promise<Parameters<JournalCase['run']>[0]>,
  options: { readonly runs: number; readonly seed: number },
): () => Promise<void> {
  return () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const harness = await open();
        let { journal } = harness;
        const model: Model = new Map();
        try {
          for (const action of steps) {
            if (action.type === 'reopen') journal = (await harness.reopen?.()) ?? journal;
            else if (action.type === 'append') {
              assert.deepEqual(await runAppend(journal, action), predictAppend(model, action));
            } else {
              const { stream: name, position, target } = action;
              assert.deepEqual(await journal.fork(name, position, target), predictFork(model, action));
            }
          }
          await expectModel(journal, model);
        } finally {
          await harness.dispose();
        }
      }),
      { numRuns: options.runs, seed: options.seed },
    );
}
