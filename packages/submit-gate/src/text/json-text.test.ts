import type { Json } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGate } from '../gate.ts';
import { recordedObservation } from '../index.ts';
import { jsonText } from './json-text.ts';

const WRITE = {
  class: 'write',
  reads: [],
  writes: ['a'],
  deletes: [],
  unknownTargets: [],
  network: 'no',
} as const;

/** More levels than the stack holds. */
const FAR = 50_000;

function inLists(depth: number, value: Json): Json {
  let out = value;
  for (let level = 0; level < depth; level += 1) out = [out];
  return out;
}

describe('JSON as text', () => {
  it('is what JSON.stringify makes, at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = value as Json;
        expect(jsonText(json)).toBe(JSON.stringify(json));
        const deep = jsonText(inLists(FAR, json));
        expect(deep).toBe(`${'['.repeat(FAR)}${JSON.stringify(json)}${']'.repeat(FAR)}`);
      }),
      { numRuns: 20 },
    );
  });
});

describe('answers of any depth', () => {
  const shapes: readonly (readonly [string, Json])[] = [
    ['lists', inLists(FAR, 'x')],
    ['a text of lists', jsonText(inLists(FAR, 1))],
    ...['in', 'content'].flatMap((key): (readonly [string, Json])[] => {
      let value: Json = 'x';
      for (let level = 0; level < FAR; level += 1) value = { [key]: value };
      return [
        [`objects of ${key}`, value],
        [`a text of objects of ${key}`, jsonText(value)],
      ];
    }),
  ];

  it.each(shapes)('%s are held against what was expected', (_, result) => {
    const gate = createGate({ surface: ['a'] });
    for (const expects of ['y', { in: 'y', content: 1 }, [1], inLists(60, 'x')] as Json[]) {
      const call = { id: '1', tool: 'w', arguments: { path: 'a' } };
      const begun = gate.start(gate.initial, { call, startSeq: 1, effects: WRITE, expects });
      const after = gate.observe(begun, { callId: '1', endSeq: 2, outcome: 'ok', result });
      expect(gate.submit(after, { type: 'completion', text: 'a is done' }).verdict.type).toBe('refused');
    }
  });

  it('are recorded as text with what was taken from them', () => {
    const gate = createGate({ surface: ['a'] });
    for (const depth of [900, 1_500, FAR]) {
      const event = { callId: '1', endSeq: 2, outcome: 'ok' as const, result: inLists(depth, 'x') };
      const call = { id: '1', tool: 'w', arguments: { path: 'a' } };
      const begun = gate.start(gate.initial, { call, startSeq: 1, effects: WRITE });
      const recorded = recordedObservation(event, gate.factsOf(begun, event), () => 'sha256:0');
      if (depth === 900) expect(recorded).toBe(event);
      else expect(recorded).toMatchObject({ result: expect.any(String), full: { bytes: 2 * depth + 3 } });
      if (depth === 1_500) expect(recorded.result).toBe(JSON.stringify(event.result));
    }
  });

  it('an expectation is refused beyond 64 levels', () => {
    const gate = createGate({ surface: ['a'] });
    const start = (expects: Json) =>
      gate.start(gate.initial, {
        call: { id: '1', tool: 'w', arguments: { path: 'a' } },
        startSeq: 1,
        effects: WRITE,
        expects,
      });
    expect(start(inLists(64, 'x')).running).toHaveLength(1);
    for (const depth of [65, FAR]) {
      expect(() => start(inLists(depth, 'x'))).toThrow(
        expect.objectContaining({ code: 'SUBMIT_GATE_CONTRACT_INVALID' }),
      );
    }
  });
});
