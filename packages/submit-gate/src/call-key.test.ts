import type { Json, JsonObject } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { argumentText } from './call-key.ts';
import { createGate } from './gate.ts';

/** Alternating objects and lists around a value. */
function nested(depth: number, value: Json): JsonObject {
  let out: Json = value;
  for (let level = 1; level < depth; level += 1) out = level % 2 === 0 ? [out] : { in: out };
  return { in: out };
}

describe('the arguments as text', () => {
  it.each<[JsonObject, string]>([
    [{}, '{}'],
    [{ $text: 'ls -l' }, 'ls -l'],
    [{ $text: 'ls', more: 1 }, '{"$text":"ls","more":1}'],
    [{ b: 1, a: [true, null, 'x"y'] }, '{"a":[true,null,"x\\"y"],"b":1}'],
    [{ a: 'Ü', b: 'x'.repeat(65) }, `{"a":"Ü","b":"${'x'.repeat(65)}"}`],
  ])('of %j', (args, text) => {
    expect(argumentText(args)).toBe(text);
  });

  it('tells what lies 64 levels deep, and cuts what lies deeper', () => {
    expect(argumentText(nested(64, 'one'))).not.toBe(argumentText(nested(64, 'two')));
    const texts = ['one', 'two'].map((value) => argumentText(nested(70, { value })));
    expect(texts[0]).toContain('…');
    expect(texts[0]).toBe(texts[1]);
  });

  it('is made of any depth', () => {
    const gate = createGate();
    const effects = { class: 'read', reads: [], writes: [], deletes: [], unknownTargets: [], network: 'no' } as const;
    const call = { id: 'deep', tool: 'read', arguments: nested(50_000, 'x') };
    expect(gate.start(gate.initial, { call, startSeq: 1, effects }).running).toHaveLength(1);
  });
});
