import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProposalKind, Reviewer } from '@warrant/core';
import { createInMemoryStore, createMemory } from '@warrant/memory';
import { openMemory } from '@warrant/memory/sqlite';
import { expect, test } from 'vitest';
import { openWorkspace, type Workspace } from './index.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'warrant-workspace-memory-'));

/** What a person approved under a key, and an agent's other value that waits. */
async function askedIn(workspace: Workspace, key = 'memory/k'): Promise<string> {
  const memory = await workspace.memory();
  await memory.human('kim', { onBehalfOf: 'a' }).write({ key, value: 'human words' });
  const asked = await memory.agent('a').write({ key, value: 'better words' });
  if (asked.type !== 'proposed') throw new Error(asked.type);
  return asked.proposalId;
}

async function approve(workspace: Workspace, proposalId: string, by = 'kim') {
  const status = await workspace.reviewer.status(proposalId);
  return workspace.reviewer.decide({ proposalId, proposal: status?.proposal ?? 'sha256:', choice: 'approve', by });
}

async function valueIn(workspace: Workspace, key = 'memory/k') {
  const read = await (await workspace.memory()).agent('a').read(key);
  return read.type === 'found' ? read.record.value : read.type;
}

test('a memory is made when it is asked for, once, and closed with the workspace', async () => {
  const workspace = await openWorkspace({ directory: folder() });
  expect(existsSync(workspace.paths.memory)).toBe(false);
  const [one, other] = await Promise.all([workspace.memory(), workspace.memory()]);
  expect(one).toBe(other);
  expect(existsSync(join(workspace.paths.memory, 'memory.db'))).toBe(true);
  await workspace.close();
  await expect(one.agent('a').read('memory/k')).rejects.toMatchObject({ code: 'MEMORY_CLOSED' });
});

test('what is approved in the queue is carried out, also where nobody asked for the memory', async () => {
  const directory = folder();
  const first = await openWorkspace({ directory });
  const id = await askedIn(first);
  await first.close();
  const second = await openWorkspace({ directory, create: false });
  expect(await approve(second, id, 'a')).toMatchObject({ type: 'queued' });
  expect(await approve(second, id)).toMatchObject({ type: 'approved', applied: 'yes' });
  expect(await valueIn(second)).toBe('better words');
  await second.close();
});

test('the queue knows every kind of proposal that a memory registers, and nothing of them needs the memory early', async () => {
  const kinds: ProposalKind[] = [];
  const reviewer: Pick<Reviewer, 'register'> = { register: (kind) => void kinds.push(kind) };
  createMemory({ store: createInMemoryStore(), reviewer: reviewer as Reviewer });
  const workspace = await openWorkspace({ directory: folder() });
  const known = [...workspace.reviewer.kinds().keys()].filter((name) => name.startsWith('memory.'));
  expect(known.sort()).toEqual(kinds.map(({ kind }) => kind).sort());
  for (const kind of kinds) expect([kind.evidence({}), kind.confidence({})]).toEqual([null, null]);
  expect(existsSync(workspace.paths.memory)).toBe(false);
  await workspace.close();
});

test('a memory that was opened by hand on the queue carries its proposals out itself', async () => {
  const workspace = await openWorkspace({ directory: folder() });
  const memory = createMemory({ store: createInMemoryStore(), reviewer: workspace.reviewer });
  await memory.human('kim', { onBehalfOf: 'a' }).write({ key: 'memory/k', value: 'human words' });
  const asked = await memory.agent('a').write({ key: 'memory/k', value: 'better words' });
  if (asked.type !== 'proposed') throw new Error(asked.type);
  expect(await approve(workspace, asked.proposalId)).toMatchObject({ applied: 'yes' });
  expect(await memory.agent('a').read('memory/k')).toMatchObject({ record: { value: 'better words' } });
  expect(existsSync(workspace.paths.memory)).toBe(false);
  expect(() => createMemory({ store: createInMemoryStore(), reviewer: workspace.reviewer })).toThrow(
    expect.objectContaining({ code: 'REVIEW_KIND_TAKEN' }),
  );
  await workspace.close();
});

test('audit entries end in the journal, also those that a process left behind', async () => {
  const directory = folder();
  const first = await openWorkspace({ directory });
  const left = openMemory({ folder: first.paths.memory });
  await left.agent('a').write({ key: 'memory/left', value: 1 });
  await left.close();
  const memory = await first.memory();
  await memory.agent('b').write({ key: 'memory/b', value: 2 });
  await first.close();
  const second = await openWorkspace({ directory });
  const entries = [];
  for await (const { type, agentId } of second.journal.read('memory')) entries.push([type, agentId]);
  expect(entries).toEqual([
    ['memory.written', 'a'],
    ['memory.written', 'b'],
  ]);
  expect(await (await second.memory()).outbox.pending(10)).toEqual([]);
  expect((await second.agents.list()).map(({ key }) => key)).toEqual(['b']);
  await second.close();
});

test('permissions and settings beside the memory hold, and faults in them are told with their lines', async () => {
  const directory = folder();
  const workspace = await openWorkspace({ directory });
  mkdirSync(workspace.paths.memory);
  const permissions = join(workspace.paths.memory, 'permissions.yaml');
  writeFileSync(permissions, 'default_policy: DENY\n');
  await expect(workspace.memory()).rejects.toMatchObject({ code: 'MEMORY_INVALID_PERMISSIONS' });
  writeFileSync(
    permissions,
    'default_policy: deny\nagents:\n  a:\n    can_write: [memory/team/]\n    can_read: [memory/team/]\n',
  );
  writeFileSync(
    join(workspace.paths.memory, 'memory.yaml'),
    'profile: { name: budget_optimized, retrieval: { retrieve_limit: 1 } }\n',
  );
  const agent = (await workspace.memory()).agent('a');
  expect((await agent.write({ key: 'memory/other/x', value: 'crane' })).type).toBe('refused');
  await agent.write({ key: 'memory/team/x', value: 'crane' });
  await agent.write({ key: 'memory/team/y', value: 'crane' });
  expect((await agent.retrieve({ query: 'crane' })).items).toHaveLength(1);
  await workspace.close();
});

test('a skill drifts when a file of the project changes', async () => {
  const directory = folder();
  const workspace = await openWorkspace({ directory });
  writeFileSync(join(directory, 'orders.sql'), 'select 1');
  const { skills } = (await workspace.memory()).human('kim');
  await skills.create('orders', { name: 'orders', content: 'join on id', scope: ['*'], files: ['orders.sql'] });
  expect((await skills.get('orders'))?.health.score).toBe(1);
  writeFileSync(join(directory, 'orders.sql'), 'select 2');
  expect((await skills.get('orders'))?.health.reasons).toMatchObject([{ code: 'skill.drift' }]);
  await workspace.close();
});
