import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace } from '@warrant/workspace';
import { expect, test } from 'vitest';
import { runWarrant } from '../../test/warrant.ts';

async function workspaceWith(...seeds: readonly string[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-experience-'));
  await runWarrant(directory, ['init']);
  await runWarrant(directory, ['graph', 'seed', ...seeds]);
  return directory;
}

test('checks and traces show in every form how well each level has served, and the verdict is the same', async () => {
  const directory = await workspaceWith('filesystem');
  const check = (...more: readonly string[]) => runWarrant(directory, ['check', 'delete', 'file', ...more]);
  const plain = JSON.parse((await check('--json')).out) as { readonly view: string };
  expect(plain).not.toHaveProperty('confidence');
  const { confidence, ...rest } = JSON.parse((await check('--confidence', '--json')).out) as Record<string, unknown>;
  expect(confidence).toContainEqual({ concept: 'delete', level: 3, confidence: expect.closeTo(0.75, 2) });
  expect(rest).toEqual(plain);
  expect((await check('--confidence')).out).toMatch(/delete .* D3 8\d %/);
  expect((await check('--confidence', '--format', 'markdown')).out).toMatch(/ {2}- D3 \(confidence 8\d %\): /);
  expect((await check('--format', 'markdown')).out).not.toContain('confidence');
  expect((await runWarrant(directory, ['traces'])).out).toMatch(/served so far: delete D3 \d+ %, file D3 \d+ %/);
  expect((await runWarrant(directory, ['traces', '--no-confidence'])).out).not.toContain('served so far');
  const [trace] = JSON.parse((await runWarrant(directory, ['traces', '--json'])).out) as readonly Record<
    string,
    unknown
  >[];
  expect(trace).toMatchObject({ view: plain.view, confidence: expect.arrayContaining([expect.anything()]) });
  const later = await runWarrant(directory, ['graph', 'health', '--at', '2100-01-01']);
  expect(later.out).toMatch(/ {2}0 % {2}delete D3/);
  expect((await runWarrant(directory, ['graph', 'health', '--at', 'soon'])).code).toBe(2);
});

test('what failures pointed at is counted, with what became of it', async () => {
  const directory = await workspaceWith('filesystem');
  const workspace = await openWorkspace({ directory });
  const call = { id: 'c', tool: 'copy_file', arguments: {} };
  const failure = { call, observation: { outcome: 'error', result: { code: 'ENOSPC' } }, concepts: ['copy'] } as const;
  for (let time = 0; time < 2; time += 1) await workspace.onFailure(failure);
  await workspace.close();
  const health = await runWarrant(directory, ['graph', 'health']);
  expect(health.out).toMatch(/2 failures point at: copy D3 constrained-by filesystem D3 \(no-space, last .*; queued\)/);
  const { failures } = JSON.parse((await runWarrant(directory, ['graph', 'health', '--json'])).out) as Record<
    string,
    unknown
  >;
  expect(failures).toMatchObject([{ count: 2, standing: 'queued' }]);
});

test('a command line and a tool are checked in the words of the domains that the graph has', async () => {
  const directory = await workspaceWith('filesystem', 'shell');
  const resolved = async (...words: readonly string[]) => {
    const { out } = await runWarrant(directory, ['check', ...words, '--json']);
    return (JSON.parse(out) as { readonly resolved: readonly string[] }).resolved;
  };
  const line = ['--command', 'kubectl delete pod web-1'];
  expect(await resolved(...line)).not.toContain('delete_cluster_object');
  await runWarrant(directory, ['graph', 'seed', 'kubernetes']);
  expect(await resolved(...line)).toContain('delete_cluster_object');
  expect(await resolved('file', '--tool', 'mcp__k8s__kubectl_get')).toEqual(['file', 'mcp__k8s__kubectl_get']);
  const mappings = 'claude: { mappings: [{ server: k8s, seed: kubernetes }] }\n';
  appendFileSync(join(directory, '.warrant/warrant.yaml'), mappings);
  expect(await resolved('file', '--tool', 'mcp__k8s__kubectl_get')).toEqual([
    'file',
    'inspect_objects',
    'cluster_object',
  ]);
  expect((await runWarrant(directory, ['check'])).code).toBe(2);
});
