import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyImport, loadSeed, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { graphHealth } from '@warrant/grounding/experience';
import { guard } from '@warrant/policy';
import { expect, test } from 'vitest';
import { readExperiences } from './experience.ts';
import { openWorkspace, type Workspace } from './open.ts';

async function opened(directory = mkdtempSync(join(tmpdir(), 'warrant-experience-'))): Promise<Workspace> {
  const workspace = await openWorkspace({ directory });
  const parsed = parseGraphDocuments([loadSeed('filesystem')]);
  if (parsed.type === 'invalid') throw new Error('the seed has faults');
  const plan = await planImport(workspace.graph, parsed.documents);
  if (plan.type === 'invalid') throw new Error('the seed cannot be imported');
  await applyImport(workspace.graph, plan);
  return workspace;
}

test('what guarded acts came to is told of every concept that they stood on', async () => {
  const workspace = await opened();
  try {
    const remove = guard(
      ({ path }: { readonly path: string }): string => {
        if (path.startsWith('/locked')) throw new Error('EACCES');
        return path;
      },
      { ...workspace.guarding, name: 'delete_file', concepts: ['delete', 'file'] },
    );
    for (const path of ['/a', '/locked/a', '/locked/b', '/locked/c']) await remove({ path });
    await workspace.grounder.flush();
    const experiences = await readExperiences(workspace);
    const acts = { ok: 1, error: 3, blocked: 0, declined: 0, ungrounded: 0 };
    expect(experiences.get('concept:delete/3')).toMatchObject({ acts });
    const primitives = [];
    for await (const primitive of workspace.graph.primitives()) primitives.push(primitive);
    expect(graphHealth(primitives, experiences)).toContainEqual(
      expect.objectContaining({ code: 'grounded-but-failing', concept: 'delete', level: 3 }),
    );
    const later = await readExperiences(workspace, { at: '2100-01-01T00:00:00.000Z' });
    expect(later.get('concept:delete/3')?.confidence).toBeLessThan(1e-9);
  } finally {
    await workspace.close();
  }
}, 60_000);

test('failures are counted beyond the process, whatever became of the proposal', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-failures-'));
  const fail = async (times: number): Promise<void> => {
    const workspace = await opened(directory);
    const archive = guard(
      ({ path }: { readonly path: string }): string => {
        throw Object.assign(new Error(`no space left on device: ${path}`), { code: 'ENOSPC' });
      },
      { ...workspace.guarding, name: 'write_file', concepts: ['write', 'file'], onFailure: workspace.onFailure },
    );
    for (let time = 0; time < times; time += 1) await archive({ path: `/a${time}` });
    await workspace.close();
  };
  await fail(2);
  await fail(3);
  const reading = await openWorkspace({ directory, readOnly: true });
  expect(await reading.failureCounts.list()).toMatchObject([{ count: 5, edge: { source: 'write' } }]);
  await reading.close();
  const untouched = mkdtempSync(join(tmpdir(), 'warrant-failures-'));
  await (await opened(untouched)).close();
  const empty = await openWorkspace({ directory: untouched, readOnly: true });
  expect(await empty.failureCounts.list()).toEqual([]);
  await empty.close();
}, 60_000);

test('half-life and weights are those of the settings', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-experience-'));
  const workspace = await opened(directory);
  await workspace.grounder.check({ concepts: ['delete', 'file'] });
  await workspace.close();
  const config = join(directory, '.warrant/warrant.yaml');
  writeFileSync(config, 'format: warrant.workspace/1\nexperience: { halfLifeDays: 1, weights: { grounded: 0 } }\n');
  const again = await openWorkspace({ directory, readOnly: true });
  const at = new Date(again.clock.now() + 86_400_000).toISOString();
  const told = (await readExperiences(again, { at })).get('concept:delete/3');
  expect(told?.freshness).toBeCloseTo(0.5, 2);
  expect(told?.confidence).toBeCloseTo(0.25, 2);
  await again.close();
}, 60_000);

test('a constraint that a person rejected is only counted, and one that was approved is known', async () => {
  const workspace = await opened();
  const fail = (act: string) =>
    workspace.onFailure({
      call: { id: act, tool: 'some_tool', arguments: {} },
      observation: { outcome: 'error', result: { code: 'ENOSPC' } },
      concepts: [act, 'file'],
    });
  const decideAndFail = async (act: string, choice: 'approve' | 'reject') => {
    const filed = await fail(act);
    if (filed.type !== 'filed') throw new Error(`${act} was ${filed.type}`);
    const { proposalId } = filed;
    const proposal = (await workspace.reviewer.status(proposalId))?.proposal ?? 'sha256:';
    await workspace.reviewer.decide({ proposalId, proposal, choice, by: 'kim' });
    return (await fail(act)).type;
  };
  expect(await decideAndFail('write', 'reject')).toBe('counted');
  expect(await decideAndFail('copy', 'approve')).toBe('known');
  const counts = await workspace.failureCounts.list();
  expect(counts.map(({ edge, count }) => [edge.source, count]).sort()).toEqual([
    ['copy', 2],
    ['write', 2],
  ]);
  await workspace.close();
}, 60_000);
