import type { Depth, DepthLevel, Digest, Primitive, Provenance, Relatum } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ground, renderMarkdown, renderTree, viewOf } from './index.ts';

const BUNDLE = `sha256:${'0'.repeat(64)}` as Digest;
const at = '2026-01-01T00:00:00.000Z';
const authored: Provenance = { source: 'authored', at };
const peer = (mode: 'grounds' | 'informs'): Provenance => ({
  source: 'peer',
  at,
  peer: { name: 'acme', bundle: BUNDLE, sequence: 1, mode },
});
const [informs, grounds] = [peer('informs'), peer('grounds')];

function to(
  target: string,
  targetDepth: DepthLevel,
  provenance: Provenance,
  relation: Relatum['relation'] = 'requires',
) {
  return { relation, target, targetDepth, provenance };
}
function level(at: DepthLevel, provenance: Provenance, ...relata: readonly Relatum[]): Depth {
  return { level: at, properties: { text: `D${at}` }, relata, provenance };
}
function concept(name: string, ...depths: readonly Depth[]): Primitive {
  return { id: name, name, depths, provenance: depths[0]?.provenance ?? authored };
}
function check(concepts: readonly string[], ...primitives: readonly Primitive[]) {
  return ground(viewOf({ names: concepts, primitives }), { concepts });
}

describe('what peers only told', () => {
  it('is no level: a concept known to it alone has a gap', () => {
    const result = check(['a'], concept('a', level(0, informs), level(1, informs)));
    expect(result.grounded).toBe(false);
    expect(result.gaps).toMatchObject([{ type: 'depth', concept: 'a', current: null }]);
    expect(result.informed).toMatchObject([
      { concept: 'a', level: 0, relatum: null, peer: 'acme', bundle: BUNDLE },
      { concept: 'a', level: 1, relatum: null },
    ]);
  });

  it('counts when the peer may ground', () => {
    const result = check(['a'], concept('a', level(0, grounds), level(1, grounds)));
    expect(result.grounded).toBe(true);
    expect(result).not.toHaveProperty('informed');
  });

  it('fills no level that an edge asks for', () => {
    const target = concept('b', level(0, authored), level(1, informs));
    const result = check(['a'], concept('a', level(0, authored), level(1, authored, to('b', 1, authored))), target);
    expect(result.gaps).toMatchObject([{ type: 'relational', source: 'a', target: 'b', current: 0, missing: [1] }]);
  });

  it('makes no step and no connection', () => {
    const [a, b] = [
      concept('a', level(0, authored, to('b', 0, informs, 'applies-to'))),
      concept('b', level(0, authored)),
    ];
    const result = check(['a', 'b'], a, b);
    expect(result.pathway).toEqual([]);
    expect(result.gaps.map(({ type }) => type)).toEqual(['reachability']);
    expect(result.primitives[0]?.depths[0]?.relata).toEqual([]);
    expect(result.informed).toMatchObject([{ concept: 'a', level: 0, relatum: { target: 'b' } }]);
  });

  it('demands nothing, not even through its own prerequisites', () => {
    const result = check(['a'], concept('a', level(0, authored), level(1, informs, to('gone', 3, informs))));
    expect(result.grounded).toBe(true);
  });

  it('never opens what others put on its level', () => {
    const held = concept('a', level(0, authored), level(1, informs, to('b', 0, authored)));
    const result = check(['a'], held, concept('b', level(0, authored)));
    expect(result.gaps).toMatchObject([{ type: 'depth', concept: 'a', required: 1, current: 0 }]);
  });

  it('leaves no knowledge to a level that has nothing but its relata', () => {
    const bare = { ...level(1, authored, to('b', 0, informs)), properties: {} };
    const result = ground(viewOf({ names: ['a'], primitives: [concept('a', level(0, authored), bare)] }), {
      concepts: ['a'],
      minDepth: 1,
    });
    expect(result.gaps).toMatchObject([{ type: 'depth', current: 0, missing: [1] }]);
  });

  it('is shown to people and models', () => {
    const result = check(['a'], concept('a', level(0, authored, to('b', 2, informs)), level(1, informs)));
    expect(renderTree(result, { ascii: true })).toContain('told by peers, not counted');
    expect(renderTree(result, { ascii: true })).toContain('acme: a D0 requires -> b (D2)');
    expect(renderMarkdown(result, { maxTokens: 1000, countTokens: (text) => text.length / 4 })).toContain(
      'Told by peers and not counted: a D0 (acme), a D1 (acme)',
    );
  });

  it('changes no verdict: without it the answer is the same', () => {
    const source = fc.constantFrom(authored, informs, grounds);
    const names = ['a', 'b', 'c', 'd'];
    const relatum = fc.record({
      relation: fc.constantFrom('requires' as const, 'depends-on' as const, 'applies-to' as const),
      target: fc.nat(3),
      targetDepth: fc.constantFrom<DepthLevel>(0, 1, 2),
      provenance: source,
    });
    const depth = fc.record({ provenance: source, relata: fc.array(relatum, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(fc.array(depth, { maxLength: 3 }), { minLength: 4, maxLength: 4 }), (drawn) => {
        const build = (keep: (one: Provenance) => boolean) =>
          drawn.map((levels, index) =>
            concept(
              names[index] as string,
              ...levels.flatMap(({ provenance, relata }, at): Depth[] => {
                // Edges lead down, as a store without cycles has them; whole levels only where all on them informs.
                const own = relata
                  .filter(({ target, provenance: one }) => target > index && keep(one))
                  .filter((one) => provenance !== informs || one.provenance === informs)
                  .map((one) => ({ ...one, target: names[one.target] as string }));
                return keep(provenance) ? [level(at as DepthLevel, provenance, ...own)] : [];
              }),
            ),
          );
        const whole = check(['a', 'b'], ...build(() => true));
        const without = check(['a', 'b'], ...build((one) => one !== informs));
        expect({ ...whole, informed: undefined, view: '', primitives: [] }).toEqual({
          ...without,
          informed: undefined,
          view: '',
          primitives: [],
        });
      }),
    );
  });
});
