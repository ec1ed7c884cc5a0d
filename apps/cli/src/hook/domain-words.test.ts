import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHookInput } from '@warrant/adapter-claude-agent';
import { applyImport, loadSeeds, parseGraphDocuments, planImport, type SeedName } from '@warrant/graph/documents';
import { openWorkspace, type Workspace } from '@warrant/workspace';
import { expect, test } from 'vitest';
import { wireEngine } from './engine.ts';

async function teach({ graph }: Workspace, ...seeds: readonly SeedName[]): Promise<void> {
  const parsed = parseGraphDocuments(loadSeeds(seeds));
  if (parsed.type === 'invalid') throw new Error('the seeds have faults');
  const plan = await planImport(graph, parsed.documents);
  if (plan.type === 'invalid') throw new Error('the seeds cannot be imported');
  await applyImport(graph, plan);
}

test('a line is read in the words of a domain from the call on that follows its seed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-domain-words-'));
  const workspace = await openWorkspace({ directory });
  try {
    await teach(workspace, 'filesystem', 'shell', 'git', 'network');
    const engine = await wireEngine(workspace, { mode: 'enforce' });
    let count = 0;
    const ask = async (command: string) => {
      count += 1;
      const input = { hook_event_name: 'PreToolUse', session_id: 's', cwd: directory, tool_name: 'Bash' };
      const call = { tool_use_id: `t${count}`, tool_input: { command } };
      const answer = await engine.handle(readHookInput({ ...input, ...call }, { source: 'test' }));
      const facts = [];
      for await (const { type, data } of workspace.journal.read('claude'))
        if (type === 'guard.facts') facts.push((data as { resolved?: readonly string[] }).resolved);
      return { refused: answer.permission?.decision === 'deny', resolved: facts.at(-1) };
    };
    expect(await ask('kubectl delete pod web-1')).toMatchObject({
      refused: false,
      resolved: expect.not.arrayContaining(['delete_cluster_object']),
    });
    await teach(workspace, 'kubernetes');
    expect(await ask('kubectl delete pod web-1')).toMatchObject({
      refused: false,
      resolved: expect.arrayContaining(['delete_cluster_object']),
    });
    await workspace.graph.apply([{ type: 'remove-primitive', primitive: await idOf(workspace), dangling: 'remove' }], {
      id: 'gone',
      expected: 'any',
    });
    expect((await ask('kubectl delete pod web-1')).refused).toBe(true);
  } finally {
    await workspace.close();
  }
}, 60_000);

async function idOf({ graph }: Workspace): Promise<string> {
  const [found] = (await graph.view(['delete_cluster_object'])).snapshot().primitives;
  return found?.id ?? '';
}
