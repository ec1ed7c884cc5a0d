import type { Proposal, ProposalKind, ReviewDecision, Reviewer } from '@warrant/core';
import { expect, test } from 'vitest';
import type { MemoryEvent } from './events.ts';
import type { MemoryPermissions } from './permissions.ts';
import { memoryFor } from './testing/setup.ts';

const KEY = 'memory/working/k';
const valueIn = (result: { readonly type: string; readonly record?: { readonly value: unknown } }): unknown =>
  result.record?.value ?? result.type;
/** What its agents may do with memory, and nothing more. */
const shared: MemoryPermissions = {
  defaultPolicy: 'deny',
  protectedPrefixes: [],
  agents: Object.fromEntries(
    ['a', 'b', 'feed'].map((key) => [
      key,
      { canWrite: ['memory/'], cannotWrite: [], canRead: ['memory/'], canDelete: [] },
    ]),
  ),
};

test('a new value is what is read; the old one is history', async () => {
  const { memory, clock } = memoryFor();
  const agent = memory.agent('a');
  await agent.write({ key: KEY, value: 'old' });
  clock.advance(60_000);
  const between = new Date(clock.now() - 1).toISOString();
  await agent.write({ key: KEY, value: 'new' });
  expect(valueIn(await agent.read(KEY))).toBe('new');
  expect(valueIn(await agent.read(KEY, { validAt: between }))).toBe('old');
  expect(valueIn(await agent.read(KEY, { validAt: between, knownAt: between }))).toBe('old');
});

test('a backdated value does not replace the present, and is what was true then', async () => {
  const { memory, clock } = memoryFor();
  const agent = memory.agent('a');
  await agent.write({ key: KEY, value: 'present' });
  clock.advance(1000);
  const written = await agent.write({ key: KEY, value: 'past', validFrom: '2025-06-01T00:00:00Z' });
  expect(written).toMatchObject({ type: 'stored', record: { validTo: '2026-01-01T00:00:00.000Z' } });
  expect(valueIn(await agent.read(KEY))).toBe('present');
  expect(valueIn(await agent.read(KEY, { validAt: '2025-07-01T00:00:00Z' }))).toBe('past');
  expect(valueIn(await agent.read(KEY, { validAt: '2025-07-01T00:00:00Z', knownAt: '2026-01-01T00:00:00.500Z' }))).toBe(
    'none',
  );
});

test('a value that ends does not bring the earlier one back', async () => {
  const { memory, clock } = memoryFor();
  const agent = memory.agent('a');
  await agent.write({ key: KEY, value: 'first' });
  clock.advance(1000);
  await agent.write({ key: KEY, value: 'until noon', validTo: '2026-01-01T12:00:00Z' });
  clock.advance(86_400_000);
  expect(valueIn(await agent.read(KEY))).toBe('none');
});

test('300 rewrites leave one current record and no open conflict', async () => {
  const { memory, clock } = memoryFor();
  const agent = memory.agent('a');
  for (let index = 0; index < 300; index += 1) {
    clock.advance(1);
    await agent.write({ key: KEY, value: `version ${index}` });
  }
  expect((await agent.list()).map(({ value }) => value)).toEqual(['version 299']);
  expect(await memory.human('h').conflicts('open')).toEqual([]);
  const recall = await agent.retrieve({ query: 'version', limit: 5 });
  expect(recall.items.map(({ text }) => text)).toEqual(['version 299']);
});

test('the same value again is a confirmation, not a row and not a conflict', async () => {
  const { memory, store } = memoryFor();
  const agent = memory.agent('a');
  await agent.write({ key: KEY, value: { b: 1, a: 2 } });
  expect(await agent.write({ key: KEY, value: { a: 2, b: 1 } })).toMatchObject({ type: 'confirmed' });
  expect((await store.heads([KEY]))[0]?.records).toHaveLength(1);
});

test('the same value with another validity or expiry is a new row, and no conflict', async () => {
  const { memory, clock } = memoryFor();
  const agent = memory.agent('a');
  await agent.write({ key: KEY, value: 1 });
  for (const more of [{ validTo: '2026-06-01T00:00:00Z' }, { expiresAt: '2026-05-01T00:00:00Z' }]) {
    clock.advance(1000);
    expect(await agent.write({ key: KEY, value: 1, ...more })).toMatchObject({ type: 'stored', conflicts: [] });
    expect(await agent.write({ key: KEY, value: 1, ...more })).toMatchObject({ type: 'confirmed' });
  }
});

test("an agent's write against a person's is refused without a reviewer; the person's stays", async () => {
  const { memory, store } = memoryFor();
  await memory.human('h', { onBehalfOf: 'a' }).write({ key: KEY, value: 'approved' });
  const refused = await memory.agent('a').write({ key: KEY, value: 'mine' });
  expect(refused).toMatchObject({ type: 'refused', reasons: [{ code: 'memory.outranked' }] });
  expect(valueIn(await memory.agent('a').read(KEY))).toBe('approved');
  expect((await store.heads([KEY]))[0]?.records).toHaveLength(1);
  expect((await store.outbox.pending(9)).map(({ entry }) => entry.type)).toEqual(['memory.written', 'memory.refused']);
});

test("a person's value takes the place of an agent's, which stays as history", async () => {
  const { memory, clock } = memoryFor();
  await memory.agent('a').write({ key: KEY, value: 'guess' });
  clock.advance(1000);
  const written = await memory.human('h', { onBehalfOf: 'a' }).write({ key: KEY, value: 'fact' });
  expect(written).toMatchObject({ type: 'stored', conflicts: [{ type: 'authority', state: 'resolved' }] });
  expect(valueIn(await memory.agent('a').read(KEY))).toBe('fact');
  expect((await memory.agent('a').history(KEY)).map(({ value }) => value)).toContain('guess');
});

test('nobody books the future ahead of a person', async () => {
  const { memory, clock } = memoryFor();
  await memory.agent('a').write({ key: KEY, value: 'tomorrow mine', validFrom: '2026-01-02T00:00:00Z' });
  await memory.human('h', { onBehalfOf: 'a' }).write({ key: KEY, value: 'fact' });
  clock.advance(3 * 86_400_000);
  expect(valueIn(await memory.agent('a').read(KEY))).toBe('fact');
});

test('what a provider says against an agent is kept beside it and is not current', async () => {
  const { memory } = memoryFor({ permissions: shared });
  await memory.agent('a').write({ key: KEY, value: 'mine' });
  const written = await memory.provider('feed').write({ key: KEY, value: 'theirs' });
  expect(written).toMatchObject({ type: 'stored', current: false, conflicts: [{ type: 'authority' }] });
  expect(valueIn(await memory.agent('b').read(KEY))).toBe('mine');
  const recall = await memory.agent('b').retrieve({ query: 'theirs' });
  expect(recall.items).toEqual([]);
  expect(recall.dropped.superseded).toHaveLength(1);
});

test('a key that differs from a stored one in case is refused, and the stored one named', async () => {
  const { memory } = memoryFor();
  await memory.agent('a').write({ key: 'memory/working/Straße', value: 1 });
  const refused = await memory.agent('a').write({ key: 'memory/working/STRASSE', value: 2 });
  expect(refused).toMatchObject({
    type: 'refused',
    reasons: [{ code: 'memory.key-spelling', data: { stored: 'memory/working/Straße' } }],
  });
});

test('no write chooses its origin', async () => {
  const { memory } = memoryFor();
  for (const claim of ['origin', 'trust', 'agent', 'agentId', 'archived'])
    await expect(memory.agent('a').write({ key: KEY, value: 1, [claim]: 'human-approved' })).rejects.toMatchObject({
      code: 'MEMORY_ORIGIN_CLAIMED',
    });
  await expect(memory.agent('a').write({ key: KEY, value: 1, unknown: 1 } as never)).rejects.toMatchObject({
    code: 'MEMORY_INVALID_ARGUMENT',
  });
});

test.each([
  ['confidence', 7.5],
  ['confidence', Number.NaN],
  ['confidence', -0.1],
  ['validTo', '2020-01-01T00:00:00Z'],
  ['validFrom', 'yesterday'],
  ['value', undefined],
  ['value', () => 1],
  ['value', '\uD800'],
  ['entities', 'abc'],
  ['subject', ''],
  ['sequence', -1],
  ['label', { trust: 'god', sources: [] }],
])('refuses %s %s', async (field, value) => {
  const { memory, store } = memoryFor();
  await expect(memory.agent('a').write({ key: KEY, value: 1, [field]: value } as never)).rejects.toMatchObject({
    code: expect.stringMatching(/^MEMORY_INVALID_ARGUMENT/),
  });
  expect(await store.outbox.pending(1)).toEqual([]);
});

test('records of people do not expire and are not rewritten', async () => {
  const { memory } = memoryFor({ infer: async () => 'x' });
  const human = memory.human('h');
  await expect(human.write({ key: KEY, value: 1, expiresAt: '2027-01-01T00:00:00Z' })).rejects.toMatchObject({
    code: 'MEMORY_INVALID_ARGUMENT',
  });
  await expect(human.write({ key: KEY, value: 1, infer: true })).rejects.toMatchObject({
    code: 'MEMORY_INVALID_ARGUMENT',
  });
});

test('what a provider brings is not rewritten either', async () => {
  const { memory } = memoryFor({ infer: async () => 'x' });
  await expect(memory.provider('p').write({ key: KEY, value: 1, infer: true })).rejects.toMatchObject({
    code: 'MEMORY_INVALID_ARGUMENT',
    data: { field: 'infer' },
  });
  expect(await memory.agent('a').read(KEY)).toEqual({ type: 'none' });
});

test('infer without a function is a typed error; with one the label keeps the least trust', async () => {
  await expect(memoryFor().memory.agent('a').write({ key: KEY, value: 1, infer: true })).rejects.toMatchObject({
    code: 'MEMORY_INFER_MISSING',
  });
  const { memory } = memoryFor({ infer: async ({ value }) => `in short: ${JSON.stringify(value)}` });
  const label = { trust: 'web', sources: ['https://example.org'] } as const;
  const written = await memory.agent('a').write({ key: KEY, value: 'long', infer: true, label });
  expect(written).toMatchObject({ record: { value: 'in short: "long"', inferred: true, label: { trust: 'web' } } });
});

test('what is made from records keeps the least of their trust, also of unknown ones', async () => {
  const { memory } = memoryFor();
  const agent = memory.agent('a');
  const web = await agent.write({ key: 'memory/w', value: 'w', label: { trust: 'web', sources: ['u'] } });
  const own = await agent.write({ key: 'memory/o', value: 'o' });
  const ids = [web, own].map((result) => (result.type === 'stored' ? result.record.id : ''));
  expect(await agent.write({ key: 'memory/s', value: 's', sources: ids })).toMatchObject({
    record: { label: { trust: 'web' } },
  });
  expect(await agent.write({ key: 'memory/t', value: 't', sources: ['nobody'] })).toMatchObject({
    record: { label: { trust: 'web' } },
  });
  expect(await agent.write({ key: 'memory/u', value: 'u', label: { trust: 'human', sources: [] } })).toMatchObject({
    record: { label: { trust: 'agent' } },
  });
});

test('an expired record is not read, not recalled, and ends no conflict', async () => {
  const { memory, clock } = memoryFor();
  const agent = memory.agent('a');
  await agent.write({ key: KEY, value: 'short life', expiresAt: '2026-01-01T01:00:00Z' });
  clock.advance(3_600_000);
  expect(valueIn(await agent.read(KEY))).toBe('none');
  const recall = await agent.retrieve({ query: 'short life', explain: true });
  expect(recall.items).toEqual([]);
  expect(recall.dropped.expired).toHaveLength(1);
  expect(await agent.write({ key: KEY, value: 'new' })).toMatchObject({ type: 'stored', conflicts: [] });
});

test('a deleted key resurrects nothing, and comes back by hand only', async () => {
  const { memory, clock } = memoryFor();
  const agent = memory.agent('a');
  await agent.write({ key: KEY, value: 'old' });
  clock.advance(1);
  const written = await agent.write({ key: KEY, value: 'new' });
  clock.advance(1);
  expect(await agent.delete(KEY)).toMatchObject({ type: 'deleted' });
  expect(valueIn(await agent.read(KEY))).toBe('none');
  expect(await agent.delete(KEY)).toEqual({ type: 'none' });
  if (written.type === 'stored') await memory.human('h').restore(written.record.id);
  expect(valueIn(await agent.read(KEY))).toBe('new');
});

test('a stranger reads, recalls and deletes nothing of another', async () => {
  const { memory } = memoryFor();
  await memory.agent('a').write({ key: KEY, value: 'secret plan' });
  const stranger = memory.agent('s');
  expect(await stranger.read(KEY)).toEqual({ type: 'none' });
  const recall = await stranger.retrieve({ query: 'secret plan', explain: true });
  expect(recall).toMatchObject({ items: [], dropped: { unreadable: 1, unreadableIds: [] } });
  expect(await stranger.list()).toEqual([]);
  expect(await stranger.grep('secret')).toEqual([]);
  expect(await stranger.glob('memory/*/*')).toEqual([]);
  expect(await stranger.history(KEY)).toEqual([]);
  expect(await stranger.delete(KEY)).toMatchObject({ type: 'refused' });
  expect(await stranger.write({ key: KEY, value: 'mine' })).toMatchObject({ type: 'refused' });
});

test('a subscriber that throws undoes nothing and is reported', async () => {
  const errors: unknown[] = [];
  const { memory, clock } = memoryFor({ onListenerError: (error) => errors.push(error) });
  const events: MemoryEvent[] = [];
  memory.subscribe(() => {
    throw new Error('broken');
  });
  memory.subscribe((event) => events.push(event));
  await memory.agent('a').write({ key: KEY, value: 1 });
  clock.advance(1);
  expect(await memory.agent('a').write({ key: KEY, value: 2 })).toMatchObject({ type: 'stored' });
  expect(events).toMatchObject([{ type: 'conflict-detected', conflictType: 'temporal', key: KEY, agent: 'a' }]);
  expect(errors).toHaveLength(1);
});

test('writers of one key at once lose nothing and find every conflict', async () => {
  const { memory } = memoryFor();
  const agent = memory.agent('a');
  const results = await Promise.all(Array.from({ length: 40 }, (_, index) => agent.write({ key: KEY, value: index })));
  expect(results.filter(({ type }) => type === 'stored')).toHaveLength(40);
  expect(await memory.human('h').conflicts()).toHaveLength(39);
  expect(await agent.list()).toHaveLength(1);
});

test('a batch is one transaction and its later writes see the earlier', async () => {
  const { memory } = memoryFor();
  const results = await memory.agent('a').writeMany([
    { key: KEY, value: 1 },
    { key: KEY, value: 1 },
    { key: KEY, value: 2 },
    { key: 'skills/x', value: 1 },
  ]);
  expect(results.map(({ type }) => type)).toEqual(['stored', 'confirmed', 'stored', 'refused']);
  expect(valueIn(await memory.agent('a').read(KEY))).toBe(2);
});

/** A review queue of one, which asks nobody. */
function queueReviewer(): Reviewer & { readonly filed: Proposal[]; readonly kinds: ProposalKind[] } {
  const filed: Proposal[] = [];
  const kinds: ProposalKind[] = [];
  const decision = (proposal: Proposal): ReviewDecision => ({
    type: 'queued',
    proposalId: proposal.id,
    proposal: 'sha256:0',
    would: 'queue',
    decidedBy: null,
    votes: [],
    applied: 'no',
    rule: null,
    facts: [],
    reasons: [],
    policy: null,
  });
  return {
    filed,
    kinds,
    register: (kind) => void kinds.push(kind),
    file: async (proposal) => {
      filed.push(proposal);
      return decision(proposal);
    },
    decide: async () => decision(filed[0] as Proposal),
    status: async () => undefined,
    list: async function* () {},
  };
}

test('with a reviewer an outranked write is a proposal, memory only once it is approved, and once', async () => {
  const reviewer = queueReviewer();
  const { memory, clock, store } = memoryFor({ reviewer });
  await memory.human('h', { onBehalfOf: 'a' }).write({ key: KEY, value: 'approved' });
  clock.advance(1000);
  const asked = await memory.agent('a').write({ key: KEY, value: 'better' });
  expect(asked).toMatchObject({ type: 'proposed', proposalId: reviewer.filed[0]?.id });
  expect(valueIn(await memory.agent('a').read(KEY))).toBe('approved');
  expect((await memory.agent('a').retrieve({ query: 'better' })).items).toEqual([]);
  const proposal = reviewer.filed[0] as Proposal;
  clock.advance(1000);
  for (let times = 0; times < 2; times += 1)
    expect(
      await reviewer.kinds
        .find(({ kind }) => kind === 'memory.write')
        ?.apply(proposal, { by: 'kim', at: proposal.proposedAt, auto: false }),
    ).toMatchObject({ type: 'applied' });
  const read = await memory.agent('a').read(KEY);
  expect(read).toMatchObject({ record: { value: 'better', origin: 'human-approved', agent: 'a', id: proposal.id } });
  expect(read.type === 'found' && read.record.label).toEqual({ trust: 'human', sources: ['agent:a', 'human:kim'] });
  const entries = (await store.outbox.pending(100)).map(({ entry }) => entry);
  expect(
    entries.find(({ type, data }) => type === 'memory.written' && JSON.stringify(data).includes(proposal.id)),
  ).toMatchObject({
    agentId: 'a',
    data: { by: 'a', as: 'agent', approvedBy: 'kim', proposal: proposal.id },
  });
});
