import { expect, test } from 'vitest';
import { parseConfig } from '../files/profile-file.ts';
import { memoryFor } from '../testing/setup.ts';
import { estimateTokens } from '../tokens.ts';

function configured(text: string) {
  const parsed = parseConfig({ file: 'memory.yaml', text });
  if (parsed.type !== 'ok') throw new Error(JSON.stringify(parsed.faults));
  return memoryFor({ config: parsed.config }).memory.agent('a');
}

test('workspace and work log come as data, each in its share of the budget, one cut at its end and one at its beginning', async () => {
  const agent = memoryFor().memory.agent('a');
  await agent.write({ key: 'memory/working/crane', value: 'the crane is red' });
  const workspace = { text: `first ${'w'.repeat(4000)}` };
  const workLog = {
    text: `${'l'.repeat(4000)} last`,
    label: { trust: 'web', sources: ['https://x.example'] } as const,
  };
  const asked = { session: 's', query: 'crane', budgetTokens: 400 };
  const turn = await agent.prepareTurn({ ...asked, workspace, workLog });
  const lines = turn.text.split('\n').filter((line) => line.startsWith('{'));
  const parsed = lines.map((line) => JSON.parse(line) as { data: string; from?: string; cut?: boolean });
  expect(parsed.map(({ from }) => from)).toEqual([undefined, 'workspace', 'work-log']);
  expect(parsed[1]).toMatchObject({ data: expect.stringMatching(/^first w+$/), cut: true });
  expect(parsed[2]).toMatchObject({ data: expect.stringMatching(/^l+ last$/), cut: true });
  expect(lines[1]?.length ?? 0).toBeLessThan((400 * 0.3 + 1) * 4);
  expect(lines[2]?.length ?? 0).toBeLessThan((400 * 0.7 * 0.3 + 1) * 4);
  expect(turn.label.trust).toBe('web');
  expect((await agent.prepareTurn({ ...asked, workspace })).label.trust).toBe('tool');
  expect((await agent.prepareTurn(asked)).label.trust).toBe('agent');
  const whole = await agent.prepareTurn({ ...asked, workspace: { text: 'on main' } });
  expect(whole.text).toContain('{"data":"on main","from":"workspace","trust":"tool","sources":["host"]}');
  expect((await agent.finalizeTurn({ session: 's', query: 'q', response: whole.text })).type).toBe('nothing');
  expect((await agent.prepareTurn({ ...asked, budgetTokens: 1, workspace, workLog })).text).not.toContain('workspace');
});

test('a profile bounds the characters of records in a turn, and says whether turns are remembered', async () => {
  const agent = configured(
    'profile: { name: research, injection: { memory_budget_chars: 260 }, capture: { auto_persist_response: false } }',
  );
  for (let index = 0; index < 8; index += 1)
    await agent.write({ key: `memory/working/crane-${index}`, value: `crane ${'x'.repeat(index === 0 ? 300 : 20)}` });
  const { text, recall } = await agent.prepareTurn({ session: 's', query: 'crane' });
  const shown = text.split('\n').filter((line) => line.startsWith('{"data"'));
  expect(recall.items).toHaveLength(8);
  expect(shown).toHaveLength(2);
  expect(shown.join('').length).toBeLessThanOrEqual(260);
  const turn = { session: 's', query: 'q', response: 'an answer' };
  expect(await agent.finalizeTurn(turn)).toEqual({ type: 'nothing' });
  expect((await configured('profile: { name: research }').finalizeTurn(turn)).type).toBe('written');
});

test('a profile says from which likeness on two records are near-duplicates', async () => {
  const found = async (threshold: number) => {
    const parsed = parseConfig({
      file: 'memory.yaml',
      text: `profile: { name: research, retrieval: { conflict_threshold: ${threshold} } }`,
    });
    if (parsed.type !== 'ok') throw new Error('faulty');
    const { memory } = memoryFor({ config: parsed.config });
    await memory.agent('a').write({ key: 'memory/working/x', value: 'kim drinks green tea at noon' });
    await memory.agent('a').write({ key: 'memory/working/y', value: 'kim drinks green tea at home' });
    return (await memory.human('h').hygiene()).counts.nearDuplicates;
  };
  expect([await found(0.9), await found(0.5)]).toEqual([0, 1]);
});

test.each([60, 100, 200, 500])('a prepared turn and the context of a call keep to %i tokens', async (budgetTokens) => {
  const { memory } = memoryFor();
  const agent = memory.agent('a');
  for (let index = 0; index < 30; index += 1)
    await agent.write({
      key: `memory/working/crane-${index}`,
      value: `crane ${index} lifts ${index} tons`,
      entities: ['crane.md'],
      label: { trust: 'web', sources: [`https://example.org/cranes/${index}`] },
    });
  const workspace = { text: 'quay '.repeat(400) };
  const workLog = { text: 'lifted '.repeat(400) };
  const turn = await agent.prepareTurn({ session: 's', query: 'crane', limit: 30, budgetTokens, workspace, workLog });
  expect(turn.tokens).toBeLessThanOrEqual(budgetTokens);
  expect(turn.tokens).toBe(turn.text === '' ? 0 : estimateTokens(turn.text));
  const call = { tool: 'Edit', arguments: { file_path: 'crane.md' } };
  const before = await agent.beforeTool({ session: 's', ...call, limit: 30, budgetTokens });
  expect(before.recall?.items.length).toBeGreaterThan(0);
  expect(estimateTokens(before.text ?? '')).toBeLessThanOrEqual(budgetTokens);
});
