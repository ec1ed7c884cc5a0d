import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyImport, loadSeed, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { graphHealth } from '@warrant/grounding/experience';
import { guard } from '@warrant/policy';
import { expect, test } from 'vitest';
import { readExperiences } from './experience.ts';
import { openWorkspace } from './open.ts';

test('what guarded acts came to is told of every concept that they stood on', async () => {
  const workspace = await openWorkspace({ directory: mkdtempSync(join(tmpdir(), 'warrant-experience-')) });
  try {
    const parsed = parseGraphDocuments([loadSeed('filesystem')]);
    if (parsed.type === 'invalid') throw new Error('the seed has faults');
    const plan = await planImport(workspace.graph, parsed.documents);
    if (plan.type === 'invalid') throw new Error('the seed cannot be imported');
    await applyImport(workspace.graph, plan);
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
