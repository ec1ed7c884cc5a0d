import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWarrantError } from '@warrant/core';
import { applyImport, loadSeed, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { proposeLearning } from '@warrant/grounding';
import { guard } from '@warrant/policy';
import { describe, expect, test } from 'vitest';
import { createWorkspace, findWorkspace, openWorkspace, type Workspace } from './index.ts';

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'warrant-workspace-'));
}

async function seed(workspace: Workspace): Promise<void> {
  const parsed = parseGraphDocuments([loadSeed('filesystem')]);
  if (parsed.type === 'invalid') throw new Error('the seed has faults');
  const plan = await planImport(workspace.graph, parsed.documents);
  if (plan.type === 'invalid') throw new Error('the seed cannot be imported');
  await applyImport(workspace.graph, plan);
}

/** Every byte below a folder, as text. */
function everything(directory: string): string {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing thrown',
    (error: unknown) => (isWarrantError(error) ? error.code : String(error)),
  );
}

describe('a workspace', () => {
  test('is made where there is none, and is the same when it is opened again', async () => {
    const directory = folder();
    const first = await openWorkspace({ directory });
    await seed(first);
    const version = await first.graph.version();
    await first.close();
    const second = await openWorkspace({ directory, create: false });
    expect(await second.graph.version()).toEqual(version);
    expect((await second.grounder.check({ concepts: ['delete', 'file'] })).grounded).toBe(true);
    await second.close();
  });

  test('is made once by several that start together', async () => {
    const directory = folder();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openWorkspace({ directory })));
    const epochs = await Promise.all(opened.map(async (workspace) => (await workspace.graph.version()).epoch));
    expect(new Set(epochs).size).toBe(1);
    await Promise.all(opened.map((workspace) => workspace.close()));
  });

  test('holds guards to the floor that its settings name, and says so in the record', async () => {
    const directory = folder();
    const { paths } = await createWorkspace({ directory });
    writeFileSync(paths.config, 'format: warrant.workspace/1\ngrounding: { minDepth: 4 }\n');
    const workspace = await openWorkspace({ directory });
    await seed(workspace);
    const options = { ...workspace.guarding, name: 'read', parameters: ['path'], concepts: ['file'] };
    const read = (path: string) => path;
    expect((await guard(read, options)('/tmp/a')).type).toBe('ungrounded');
    expect((await guard(read, { ...options, minDepth: 3 })('/tmp/a')).type).toBe('executed');
    await workspace.close();
  });

  test.runIf(existsSync('/proc/self'))('says at once where no folder can be made', async () => {
    await expect(createWorkspace({ directory: '/proc/nowhere/below' })).rejects.toMatchObject({
      code: 'WORKSPACE_IO',
      message: expect.stringContaining('ENOENT'),
    });
    await expect(createWorkspace({ directory: '/dev/null/below' })).rejects.toMatchObject({ code: 'WORKSPACE_IO' });
  });

  test('is found from a folder below it', async () => {
    const directory = folder();
    await (await openWorkspace({ directory })).close();
    expect(findWorkspace(join(directory, 'some/where'))).toBe(directory);
    expect(findWorkspace(folder())).toBeUndefined();
  });

  test.each([
    ['deleted', (database: string) => rmSync(database)],
    ['emptied', (database: string) => writeFileSync(database, '')],
  ])('whose database was %s is not made anew without a word', async (_name, damage) => {
    const directory = folder();
    const first = await openWorkspace({ directory });
    const { database, secretKey } = first.paths;
    await seed(first);
    await first.close();
    damage(database);
    const key = readFileSync(secretKey, 'utf8');
    for (const how of [{}, { create: false }, { readOnly: true }] as const) {
      await expect(openWorkspace({ directory, ...how })).rejects.toMatchObject({
        code: 'WORKSPACE_DATABASE_MISSING',
        data: { file: database },
        message: expect.stringMatching(/warrant restore FILE.*warrant init/s),
      });
    }
    await createWorkspace({ directory });
    const anew = await openWorkspace({ directory });
    expect((await anew.grounder.check({ concepts: ['file'] })).gaps).toMatchObject([{ type: 'existence' }]);
    expect(readFileSync(secretKey, 'utf8')).toBe(key);
    await anew.close();
  });

  test('of which a new copy has the settings alone is made whole', async () => {
    const directory = folder();
    const { paths } = await createWorkspace({ directory });
    for (const file of [paths.database, paths.secretKey]) rmSync(file);
    expect(await codeOf(openWorkspace({ directory, create: false }))).toBe('WORKSPACE_DATABASE_MISSING');
    await (await openWorkspace({ directory })).close();
    await (await openWorkspace({ directory, create: false })).close();
  });

  test('that must be there and is not is an error with a code', async () => {
    expect(await codeOf(openWorkspace({ directory: folder(), create: false }))).toBe('WORKSPACE_MISSING');
  });

  test('opened read-only still grounds and writes nothing', async () => {
    const directory = folder();
    const first = await openWorkspace({ directory });
    await seed(first);
    await first.close();
    const reading = await openWorkspace({ directory, readOnly: true });
    expect((await reading.grounder.check({ concepts: ['delete', 'file'] })).grounded).toBe(true);
    await reading.close();
    expect(existsSync(join(directory, '.warrant/traces'))).toBe(false);
  });
});

describe('settings', () => {
  test('are checked with places, and read again only when they changed', async () => {
    const directory = folder();
    await (await openWorkspace({ directory })).close();
    const file = join(directory, '.warrant/warrant.yaml');
    writeFileSync(file, 'format: warrant.workspace/1\nagent: planner\n');
    const workspace = await openWorkspace({ directory });
    expect(workspace.config).toMatchObject({ agent: 'planner', enforce: true, policy: { files: [] } });
    await workspace.close();
    writeFileSync(file, 'format: warrant.workspace/1\nagent: 7\n');
    await expect(openWorkspace({ directory })).rejects.toMatchObject({
      code: 'WORKSPACE_CONFIG_INVALID',
      message: expect.stringMatching(/warrant\.yaml:2:8: this is a number \(expected a text\)/),
    });
  });

  test('that a damaged reading stands beside are read from the file', async () => {
    const directory = folder();
    await (await openWorkspace({ directory })).close();
    writeFileSync(join(directory, '.warrant/warrant.reading.json'), '{"reading":2');
    const workspace = await openWorkspace({ directory });
    expect(workspace.config.agent).toBe('agent');
    await workspace.close();
  });

  test('say that a key is missing instead of making another', async () => {
    const directory = folder();
    await (await openWorkspace({ directory })).close();
    writeFileSync(join(directory, '.warrant/secret.key'), 'short');
    expect(await codeOf(openWorkspace({ directory }))).toBe('WORKSPACE_KEY_MISSING');
  });
});

test('secrets that pass through a guarded tool are in no file', async () => {
  const directory = folder();
  const workspace = await openWorkspace({ directory });
  await seed(workspace);
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const password = 'postgres://app:hunter2-and-more@db.example/app';
  const write = guard(({ text }: { readonly text: string }) => `wrote ${text}`, {
    ...workspace.guarding,
    name: 'write_file',
    concepts: ['write', 'file'],
  });
  const outcome = await write({ text: `${token} ${password}` });
  expect(outcome).toMatchObject({ type: 'executed', value: `wrote ${token} ${password}`, recorded: 'all' });
  await workspace.close();
  const written = everything(directory);
  expect(written).not.toContain(token);
  expect(written).not.toContain('hunter2-and-more');
  expect(written).toMatch(/\[secret:[0-9a-f]{16}\]/);
});

test('a proposal to learn waits for a person, and nobody approves their own', async () => {
  const workspace = await openWorkspace({ directory: folder() });
  await seed(workspace);
  const { reviewer, grounder, config } = workspace;
  const query = { concepts: ['archive'] };
  const [gap] = (await grounder.check(query)).gaps;
  if (gap === undefined) throw new Error('no gap');
  const candidate = {
    type: 'existence' as const,
    name: 'archive',
    identity: { level: 1 as const, properties: { text: 'keeping' } },
  };
  const filed = await proposeLearning(reviewer, { gap, candidate, query, proposedBy: config.agent });
  expect(filed.type).toBe('queued');
  expect(await workspace.inbox.pending({ kind: 'review' })).toHaveLength(1);
  const vote = { proposalId: filed.proposalId, proposal: filed.proposal, choice: 'approve' as const };
  expect((await reviewer.decide({ ...vote, by: config.agent })).type).not.toBe('approved');
  expect((await grounder.check(query)).grounded).toBe(false);
  expect(await reviewer.decide({ ...vote, by: config.person })).toMatchObject({ type: 'approved', applied: 'yes' });
  expect((await grounder.check(query)).grounded).toBe(true);
  expect(await workspace.inbox.pending({ kind: 'review' })).toHaveLength(0);
  await workspace.close();
});

test.runIf(process.getuid?.() !== 0)('a folder that cannot be written is an error with a code', async () => {
  const directory = folder();
  chmodSync(directory, 0o500);
  expect(await codeOf(openWorkspace({ directory }))).toBe('WORKSPACE_IO');
});

test('review rules of the settings land what they approve, and a file that is gone approves nothing', async () => {
  const directory = folder();
  await (await openWorkspace({ directory })).close();
  const file = join(directory, '.warrant/review.yaml');
  writeFileSync(
    join(directory, '.warrant/warrant.yaml'),
    'format: warrant.workspace/1\nreview: { file: review.yaml }\n',
  );
  writeFileSync(
    file,
    'review:\n  policy:\n    default: require_human\n    rules:\n      - { name: learned, when: { kind: learning }, action: auto_approve }\n',
  );
  const workspace = await openWorkspace({ directory });
  const propose = async (name: string) => {
    const query = { concepts: [name] };
    const [gap] = (await workspace.grounder.check(query)).gaps;
    if (gap === undefined) throw new Error('no gap');
    const candidate = { type: 'existence' as const, name, identity: { level: 1 as const, properties: { text: name } } };
    return proposeLearning(workspace.reviewer, { gap, candidate, query, proposedBy: 'agent' });
  };
  expect(await propose('archive')).toMatchObject({ type: 'approved', applied: 'yes' });
  rmSync(file);
  expect((await propose('compress')).type).not.toBe('approved');
  await workspace.close();
});
