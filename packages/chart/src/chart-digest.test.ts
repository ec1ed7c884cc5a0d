import { canonicalJson, isWarrantError, type Json } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chartArbitrary } from '../test/arbitraries.ts';
import { chartDigest } from './chart-digest.ts';
import { canonicalChart } from './defaults.ts';
import type { ChartIr, StateIr, TransitionIr } from './ir.ts';

function transition(parts: Partial<TransitionIr>): TransitionIr {
  return { events: [], targets: [], type: 'external', content: [], ...parts };
}

function state(parts: Partial<StateIr>): StateIr {
  return { type: 'state', transitions: [], onEntry: [], onExit: [], data: [], invokes: [], states: [], ...parts };
}

function chart(...states: readonly StateIr[]): ChartIr {
  return { datamodel: 'null', binding: 'early', data: [], states };
}

describe('the text that a chart is named by', () => {
  test('is canonical JSON', () => {
    const texts = fc.record({ id: fc.string({ unit: 'grapheme' }), cond: fc.string(), event: fc.string() });
    fc.assert(
      fc.property(chartArbitrary, texts, (ir, { id, cond, event }) => {
        const more = state({ id, transitions: [transition({ events: [event], cond, targets: [id] })] });
        const text = canonicalChart({ ...ir, states: [...ir.states, more] });
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
      }),
      { numRuns: 30 },
    );
  });

  test('stays what it was', () => {
    const plain = state({
      id: 'a',
      transitions: [transition({ events: ['e', 'f.*'], cond: 'x < "\\ud"', targets: ['b'] })],
    });
    const other = state({
      id: 'b',
      transitions: [transition({ events: ['e'], type: 'internal' })],
      states: [state({})],
    });
    const text = canonicalChart(chart(plain, other, state({ type: 'final', id: 'é' })));
    expect(text).toBe(
      '{"binding":"early","datamodel":"null","initial":["a"],"states":[' +
        '{"id":"a","transitions":[{"cond":"x < \\"\\\\ud\\"","events":["e","f.*"],"targets":["b"],"type":"external"}],"type":"state"},' +
        '{"id":"b","states":[{"type":"state"}],"transitions":[{"events":["e"],"type":"internal"}],"type":"state"},' +
        '{"id":"é","type":"final"}]}',
    );
    expect(chartDigest(chart(plain))).toBe('sha256:83d0cc0e94c08ad295e596663305eec138ae15a03066cfd201b9e27c4822b53e');
  });

  test.each<readonly [string, StateIr]>([
    ['an id', state({ id: 'a\ud800' })],
    ['a condition', state({ id: 'a', transitions: [transition({ cond: '\udc00' })] })],
    ['an event', state({ id: 'a', transitions: [transition({ events: ['e', '\ud83d'] })] })],
    ['a target', state({ id: 'a', transitions: [transition({ targets: ['\ude00'] })] })],
  ])('is refused for %s that is not well-formed', (_, ir) => {
    expect(refusal(chart(ir))).toBe('JSON_LONE_SURROGATE');
  });

  test.each<readonly [string, object]>([
    ['an id', { id: Number.NaN }],
    ['a type', { type: undefined }],
    ['a condition', { transitions: [{ ...transition({}), cond: Number.POSITIVE_INFINITY }] }],
    ['an event', { transitions: [{ ...transition({}), events: [undefined] }] }],
    ['a target', { transitions: [{ ...transition({}), targets: [() => 1] }] }],
    ['the type of a transition', { transitions: [{ ...transition({}), type: undefined }] }],
  ])('is refused for %s that is no JSON', (_, parts) => {
    expect(refusal(chart(state(parts as Partial<StateIr>)))).toBe('JSON_INVALID');
  });
});

function refusal(ir: ChartIr): string | undefined {
  try {
    canonicalChart(ir);
    return undefined;
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return error.code;
  }
}
