import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryGraphStore } from '@warrant/graph';
import { applyImport, loadSeeds, parseGraphDocuments, planImport, type SeedName } from '@warrant/graph/documents';
import { analyzeCommand, conceptsFor, defaultMapping } from '@warrant/shell';
import { describe, expect, test } from 'vitest';
import { createWorkspace } from './create.ts';
import { readConfig, shellWords, toolRules, workspacePaths } from './index.ts';

async function graphOf(...seeds: readonly SeedName[]) {
  const graph = createMemoryGraphStore();
  const parsed = parseGraphDocuments(loadSeeds(seeds));
  if (parsed.type === 'invalid') throw new Error('the seeds have faults');
  const plan = await planImport(graph, parsed.documents);
  if (plan.type === 'invalid') throw new Error('the seeds cannot be imported');
  await applyImport(graph, plan);
  return graph;
}
const auto = { shell: { domains: 'auto' as const } };
const DELETE_POD = 'kubectl delete pod web-1';

describe('the words of command lines', () => {
  test('are those of the domains that the graph has', async () => {
    const conceptsIn = async (line: string, ...seeds: readonly SeedName[]) => {
      const words = await shellWords(await graphOf(...seeds), auto);
      return conceptsFor(analyzeCommand(line), await words(line));
    };
    const deletes = 'delete_cluster_object';
    expect(await conceptsIn(DELETE_POD, 'filesystem', 'shell')).not.toContain(deletes);
    expect(await conceptsIn(DELETE_POD, 'kubernetes')).toContain(deletes);
    for (const line of [
      "k''ubectl delete pod x",
      'ku\\bectl delete pod x',
      '"kube"ctl delete pod x',
      'env kubectl delete pod x',
    ])
      expect(await conceptsIn(line, 'kubernetes'), line).toContain(deletes);
    expect(await conceptsIn('gh pr list', 'http')).toContain('access_token');
    expect(await conceptsIn('gh pr list', 'kubernetes')).not.toContain('access_token');
    expect(await conceptsIn('aws s3 ls', 'cloud')).toContain('list_resources');
    expect(await conceptsIn('terraform plan', 'cloud')).toContain('plan_infrastructure');
    expect(await conceptsIn('curl https://example.org', 'http')).toContain('get_resource');
  });

  test('follow the graph, and ask it only for lines that a domain has words for', async () => {
    const graph = await graphOf('shell');
    const asked: string[] = [];
    const watched = {
      view: (names: readonly string[]) => {
        asked.push(...names);
        return graph.view(names);
      },
    };
    const words = await shellWords(watched, auto);
    expect(await words('git status')).toBe(defaultMapping);
    expect(asked).toEqual([]);
    expect((await words(DELETE_POD)).programs['kubectl delete']).toBeUndefined();
    const provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' } as const;
    const primitive = { id: 'pod', name: 'Pod', depths: [], provenance };
    await graph.apply([{ type: 'put-primitive', primitive }], { id: 'pod', expected: 'any' });
    // What else the domain says is a gap then, not a way around it.
    expect((await words(DELETE_POD)).programs['kubectl delete']).toContain('delete_cluster_object');
    expect(await words(DELETE_POD)).toBe(await words(DELETE_POD));
  });

  test('are fixed where the settings name domains', async () => {
    const words = await shellWords(await graphOf('kubernetes'), { shell: { domains: [] } });
    expect((await words(DELETE_POD)).programs['kubectl delete']).toBeUndefined();
    const cloud = await shellWords(await graphOf('shell'), { shell: { domains: ['cloud'] } });
    expect((await cloud('aws s3 ls')).programs['aws ls']).toContain('list_resources');
  });
});

describe('mappings of servers', () => {
  async function rulesOf(claude: string, files: Readonly<Record<string, string>> = {}) {
    const paths = workspacePaths(mkdtempSync(join(tmpdir(), 'warrant-domains-')));
    await createWorkspace({ directory: paths.directory });
    writeFileSync(paths.config, `format: warrant.workspace/1\nclaude:\n${claude}\n`);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(paths.folder, name), text);
    return toolRules(paths, await readConfig(paths));
  }

  test('stand after rules of one’s own, under the names that clients give', async () => {
    const rules = await rulesOf(
      '  tools: [{ match: mcp__k8s__kubectl_get, concepts: [own] }]\n  mappings: [{ server: k8s, seed: kubernetes }]',
    );
    const gets = rules.filter(({ match }) => match === 'mcp__k8s__kubectl_get').map(({ concepts }) => concepts);
    expect(gets).toEqual([['own'], ['inspect_objects', 'cluster_object']]);
  });

  test('come from files, too, with their faults', async () => {
    const mappings = '  mappings: [{ server: tracker, file: tracker.tools.yaml }]';
    const text = 'format: warrant.tools/1\nname: tracker\ntools: { get_issue: { concepts: [read, issue] } }\n';
    expect(await rulesOf(mappings, { 'tracker.tools.yaml': text })).toEqual([
      { match: 'mcp__tracker__get_issue', concepts: ['read', 'issue'] },
    ]);
    const wrong = { 'tracker.tools.yaml': text.replace('[read, issue]', '[]') };
    await expect(rulesOf(mappings, wrong)).rejects.toMatchObject({ code: 'WORKSPACE_TOOLS_INVALID' });
    await expect(rulesOf(mappings)).rejects.toMatchObject({ code: 'WORKSPACE_IO' });
  });
});
