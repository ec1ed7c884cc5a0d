import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMemory } from '@warrant/memory/sqlite';
import { describe, expect, it } from 'vitest';
import { Conversation, commandHook, decisionOf, project, readResult } from '../../test/claude-client.ts';
import { programVerifier } from './verifier-program.ts';

const EDIT = { file_path: 'a.ts', old_string: 'a', new_string: 'b' };

async function talk(directory: string, more: Readonly<Record<string, unknown>> = {}): Promise<Conversation> {
  return new Conversation((await commandHook.start(directory)).send, directory, more);
}

describe('settings of the hook', () => {
  it('bound subagents by kind', async () => {
    const claude = '  subagents:\n    reader: { tools: [Read], concepts: [read, file] }\n';
    const child = await talk(await project({ claude }), { agent_id: 'a1', agent_type: 'reader' });
    await child.event('SubagentStart');
    expect(await child.before('Read', { file_path: 'a' })).toEqual({});
    expect(decisionOf(await child.before('Edit', EDIT))).toBe('deny');
  });

  it('ask a program about claims that would pass', async () => {
    const directory = await project({
      claude: `  verifier: { command: ["${process.execPath}", doubt.cjs], threshold: 0.6 }\n`,
    });
    const talking = await talk(directory);
    const answer = (text: string) =>
      writeFileSync(join(directory, 'doubt.cjs'), `console.log(${JSON.stringify(text)})`);
    await talking.prompt('Change a.ts.');
    await talking.run('Edit', EDIT, {});
    await talking.run('Read', { file_path: 'a.ts' }, readResult('a.ts', 'b'));
    answer('0.5');
    expect((await talking.stop('I changed a.ts.')).decision).toBe('block');
    answer('0.9');
    expect(await talking.stop('I changed a.ts.')).toEqual({});
  });

  it('take a look for one at what an extractor names', async () => {
    const tools = `  tools:
    - { match: mcp__t__set, concepts: [write, file], effect: write, targets: [/id] }
    - { match: mcp__t__list, concepts: [read, file], effect: read }
`;
    const rules = `  extractors: [{ tool: mcp__t__list, at: [/items/*/id] }]
  normalizers: [{ tool: mcp__t__list, drop: [/took], ignore: [case] }]
`;
    const talking = await talk(await project({ claude: tools + rules }));
    const list = (id: string) => [{ type: 'text', text: JSON.stringify({ items: [{ id }], took: 3 }) }];
    await talking.prompt('Set it.');
    await talking.run('mcp__t__set', { id: 'T-1' }, 'ok');
    await talking.run('mcp__t__list', {}, list('T-2'));
    expect((await talking.stop('I set T-1.')).decision).toBe('block');
    await talking.run('mcp__t__list', {}, list('T-1'));
    expect(await talking.stop('I set T-1.')).toEqual({});
  });

  it('keep conversations and tracked directories where that is asked for, secrets replaced, and nothing else', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const played = async (claude: string) => {
      const directory = await project({ claude });
      writeFileSync(join(directory, 'seen.txt'), 'x');
      const talking = await talk(directory);
      await talking.event('SessionStart', { source: 'startup' });
      await talking.prompt(`Use ${secret}, please.`);
      await talking.run('Read', { file_path: 'seen.txt' }, readResult('seen.txt', 'what stands there'));
      await talking.stop('It says what stands there.');
      return directory;
    };
    const kept = await played('  memory: true\n  capture: { conversation: true, directories: [.] }\n');
    const folder = join(kept, '.warrant/memory/conversations');
    const [file] = readdirSync(folder);
    const text = readFileSync(join(folder, String(file)), 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { role: string; text: string });
    expect(lines.map(({ role }) => role)).toEqual(['user', 'tool', 'assistant']);
    expect(lines[1]?.text).toContain('what stands there');
    expect(text).not.toContain(secret);
    const memory = openMemory({ folder: join(kept, '.warrant/memory') });
    const found = await memory.human('kim').list('memory/working/directory_tracking/');
    await memory.close();
    expect(JSON.stringify(found)).toContain('seen.txt');
    const nothing = await played('  memory: true\n');
    expect(existsSync(join(nothing, '.warrant/memory/conversations'))).toBe(false);
  });
});

describe('a program that verifies', () => {
  const question = { claim: { type: 'completion' }, criteria: ['effect_shown'], callIds: [] };
  const says = (code: string) =>
    programVerifier({ command: [process.execPath, '-e', code], seconds: 20 }, '/')(question);

  it('reads the claim and prints a confidence, or null', async () => {
    expect(await says('console.log(" 0.25 ")')).toBe(0.25);
    expect(await says('console.log("null")')).toBeNull();
    expect(
      await says('process.stdin.on("data", (d) => console.log(JSON.parse(d).claim.type === "completion" ? 1 : 0))'),
    ).toBe(1);
  });

  it('counts for nothing where it fails, hangs or says anything else', async () => {
    expect(await says('process.exit(3)')).toBe(-1);
    expect(await says('console.log("0.9"); process.exit(1)')).toBe(-1);
    for (const text of ['2', '-1', 'NaN', 'yes', '', '0.9 0.1']) expect(await says(`console.log("${text}")`)).toBe(-1);
    expect(await programVerifier({ command: ['/nowhere/program'], seconds: 1 }, '/')(question)).toBe(-1);
    const hangs = programVerifier(
      { command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'], seconds: 0.5 },
      '/',
    );
    expect(await hangs(question)).toBe(-1);
  });
});
