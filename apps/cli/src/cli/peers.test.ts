import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runWarrant } from '../../test/warrant.ts';

async function workspace(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-peers-'));
  await runWarrant(directory, ['init']);
  return directory;
}

const GRAPH = `format: warrant.graph/1
name: theirs
concepts:
  host: { existence: There are hosts., identity: A machine. }
  cluster:
    existence: There are clusters.
    identity: { text: Many machines., requires: { host: identity } }
`;

async function published(): Promise<{ readonly bundle: string; readonly key: string; readonly directory: string }> {
  const directory = await workspace();
  writeFileSync(join(directory, 'g.yaml'), GRAPH);
  await runWarrant(directory, ['graph', 'import', 'g.yaml']);
  const keys = await runWarrant(directory, ['peer', 'keygen', 'acme', '--json']);
  const { publicKey } = JSON.parse(keys.out) as { publicKey: string };
  const bundle = join(directory, 'acme.bundle.json');
  const exported = await runWarrant(directory, ['peer', 'export', 'cluster', '-o', bundle]);
  expect(exported.out).toContain('wrote bundle 1 with 2 concepts');
  return { bundle, key: publicKey, directory };
}

test('knowledge travels from one workspace to another under review, and is taken back', async () => {
  const theirs = await published();
  const ours = await workspace();
  const add = ['peer', 'add', 'acme', theirs.key, '--concepts', 'cluster', 'host', '--grounds'];

  expect(await runWarrant(ours, ['peer', 'plan', theirs.bundle])).toMatchObject({
    code: 1,
    out: expect.stringContaining('peers.unknown-peer'),
  });
  const alone = await runWarrant(ours, add);
  expect([alone.code, alone.out.includes('SHA256:'), alone.error.includes('type yes')]).toEqual([4, true, true]);
  expect((await runWarrant(ours, add, { typed: ['no'], interactive: true })).out).toContain('Nothing was written.');
  expect(await runWarrant(ours, ['peer', 'list'])).toMatchObject({ out: expect.stringContaining('No peer is pinned') });
  expect((await runWarrant(ours, add, { typed: ['yes'], interactive: true })).out).toContain(
    'acme is pinned and may ground',
  );
  expect(readFileSync(join(ours, '.warrant/peers.yaml'), 'utf8')).toContain('mode: grounds');

  expect((await runWarrant(ours, ['peer', 'plan', theirs.bundle])).out).toContain('2 added');
  const proposed = await runWarrant(ours, ['peer', 'import', theirs.bundle]);
  expect(proposed.code).toBe(4);
  expect((await runWarrant(ours, ['check', 'cluster'])).code).toBe(1);
  const id = /review approve (\S+)/.exec(proposed.out)?.[1] ?? '';
  expect((await runWarrant(ours, ['review', 'approve', id])).code).toBe(0);
  expect((await runWarrant(ours, ['check', 'cluster'])).code).toBe(0);
  expect((await runWarrant(ours, ['peer', 'list'])).out).toContain('bundle 1, 2 concepts');
  expect((await runWarrant(ours, ['peer', 'import', theirs.bundle])).out).toContain('imported already');

  expect((await runWarrant(ours, ['peer', 'revoke', 'acme', '--dry-run'])).out).toContain('cluster loses ground');
  expect((await runWarrant(ours, ['check', 'cluster'])).code).toBe(0);
  expect((await runWarrant(ours, ['peer', 'revoke', 'acme'])).out).toContain('2 removed');
  expect((await runWarrant(ours, ['check', 'cluster'])).code).toBe(1);
  expect((await runWarrant(ours, ['peer', 'import', theirs.bundle])).out).toContain('peers.revoked-peer');
  expect((await runWarrant(ours, ['peer', 'revoke', 'nobody'])).code).toBe(3);
}, 120_000);

test('what only informs is shown by a check and does not count', async () => {
  const theirs = await published();
  const ours = await workspace();
  await runWarrant(ours, ['peer', 'add', 'acme', theirs.key, '--concepts', '*'], {
    typed: ['yes'],
    interactive: true,
  });
  const proposed = await runWarrant(ours, ['peer', 'import', theirs.bundle]);
  const id = /review approve (\S+)/.exec(proposed.out)?.[1] ?? '';
  await runWarrant(ours, ['review', 'approve', id]);
  const checked = await runWarrant(ours, ['check', 'cluster']);
  expect(checked.code).toBe(1);
  expect(checked.out).toContain('told by peers, not counted');
  expect(checked.out).toContain('acme: cluster D1');
}, 120_000);

test('keys are kept to their owner, never replaced, and count their bundles', async () => {
  const { directory, bundle } = await published();
  const file = join(directory, '.warrant/peers/key.json');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  expect(await runWarrant(directory, ['peer', 'keygen', 'acme'])).toMatchObject({
    code: 2,
    error: expect.stringContaining('PEERS_KEY_EXISTS'),
  });
  expect((await runWarrant(directory, ['peer', 'export', 'host', '-o', bundle])).out).toContain('wrote bundle 2');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  expect(readFileSync(bundle, 'utf8')).not.toContain(JSON.parse(readFileSync(file, 'utf8')).privateKey);
});

test('a pin file with a fault names its line, and nothing is imported', async () => {
  const ours = await workspace();
  writeFileSync(
    join(ours, '.warrant/peers.yaml'),
    'format: warrant.peers/1\npeers:\n  acme:\n    key: x\n    mode: trusts\n',
  );
  const { bundle } = await published();
  const planned = await runWarrant(ours, ['peer', 'plan', bundle]);
  expect(planned.code).toBe(2);
  expect(planned.error).toContain('peers.yaml:4:');
  expect(planned.error).toContain('not a mode');
});

test('the health of a graph tells what was used, what fails, and what nobody uses', async () => {
  const directory = await workspace();
  await runWarrant(directory, ['graph', 'seed', 'filesystem']);
  for (let round = 0; round < 2; round += 1) await runWarrant(directory, ['check', 'delete', 'file']);
  const health = await runWarrant(directory, ['graph', 'health']);
  expect(health.code).toBe(0);
  expect(health.out).toMatch(/ % {2}delete D\d {2}used 2 times/);
  expect(health.out).toContain('never (--all shows them)');
  expect((await runWarrant(directory, ['graph', 'health', '--all'])).out).toContain('never-exercised');
  expect((await runWarrant(directory, ['check', 'delete', '--confidence'])).out).toMatch(/delete .* \d+ %/);
});
