import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHookInput } from '@warrant/adapter-claude-agent';
import { applyImport, loadSeeds, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { openWorkspace, readExperiences } from '@warrant/workspace';
import { expect, test } from 'vitest';
import { wireEngine } from './engine.ts';

test('what became of the calls of a client is told of the concepts that they stood on', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-hook-experience-'));
  const workspace = await openWorkspace({ directory });
  try {
    const parsed = parseGraphDocuments(loadSeeds(['filesystem', 'shell']));
    if (parsed.type === 'invalid') throw new Error('the seeds have faults');
    const plan = await planImport(workspace.graph, parsed.documents);
    if (plan.type === 'invalid') throw new Error('the seeds cannot be imported');
    await applyImport(workspace.graph, plan);
    const engine = await wireEngine(workspace, { mode: 'enforce' });
    const tell = (name: string, call: string, more: object) =>
      engine.handle(
        readHookInput(
          { hook_event_name: name, session_id: 's', cwd: directory, tool_name: 'Read', tool_use_id: call, ...more },
          { source: 'test' },
        ),
      );
    const input = { tool_input: { file_path: '/tmp/a' } };
    for (const call of ['one', 'two', 'three']) await tell('PreToolUse', call, input);
    await tell('PostToolUse', 'one', { ...input, tool_response: 'text' });
    await tell('PostToolUseFailure', 'two', { ...input, error: 'EACCES: permission denied' });

    const experiences = await readExperiences(workspace);
    expect(experiences.get('concept:read/3')?.acts).toMatchObject({ ok: 1, error: 1 });
  } finally {
    await workspace.close();
  }
}, 60_000);
