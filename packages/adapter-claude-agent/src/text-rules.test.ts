import { describe, expect, it } from 'vitest';
import { conversation } from './testing/conversation.ts';
import { textRules } from './text-rules.ts';
import { warrantHooks } from './warrant-hooks.ts';

describe('rules for texts', () => {
  const normalize = (rule: object, text: string) => {
    const { normalizers } = textRules([{ tool: 't', ...rule }], []);
    return normalizers?.['t']?.run(text);
  };

  it('leave out what changes with each answer', () => {
    expect(normalize({ drop: ['/took', '/rows/*/at'] }, '{"took":3,"rows":[{"id":1,"at":"x"}]}')).toBe(
      '{"rows":[{"id":1}]}',
    );
    expect(normalize({ drop: ['/rows/0'] }, '{"rows":[1,2]}')).toBe('{"rows":[2]}');
    expect(normalize({ drop: ['/a~1b'] }, '{"a/b":1,"c":2}')).toBe('{"c":2}');
    expect(normalize({ drop: ['/took'] }, 'took 3 ms')).toBe('took 3 ms');
    expect(normalize({ ignore: ['digits', 'case', 'order'] }, 'B 12\nA 7')).toBe('a 0\nb 0');
  });

  it('have names that tell two rules apart', () => {
    const name = (drop: string) => textRules([{ tool: 't', drop: [drop] }], []).normalizers?.['t']?.name;
    expect(name('/a')).not.toBe(name('/b'));
  });
});

describe('the gate with such rules', () => {
  const tools = [
    { match: 'mcp__t__set', concepts: [], effect: 'write', targets: ['/id'] },
    { match: 'mcp__t__list', concepts: [], effect: 'read' },
  ] as const;
  const changed = async (extractors: readonly { tool: string; at: readonly string[] }[]) => {
    const talking = conversation(warrantHooks({ tools, extractors }));
    await talking.prompt('Set it.');
    await talking.run('mcp__t__set', { id: 'T-1' });
    return talking;
  };
  const look = (id: string) => [{ type: 'text', text: JSON.stringify({ items: [{ id }], note: 'not T-1' }) }];

  it('takes a look for one at what the extractor names, and at nothing else', async () => {
    const talking = await changed([{ tool: 'mcp__t__list', at: ['/items/*/id'] }]);
    await talking.run('mcp__t__list', {}, look('T-2'));
    expect((await talking.stop('I set T-1.')).decision).toBe('block');
    await talking.run('mcp__t__list', {}, look('T-1'));
    expect(await talking.stop('I set T-1.')).toEqual({});
  });
});
