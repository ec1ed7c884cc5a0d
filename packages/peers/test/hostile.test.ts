import type { Primitive } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bundle, formatBundle, type Pin, parseBundle, revokePeer } from '../src/index.ts';
import {
  bundleOf,
  concept,
  deskOf,
  graphOf,
  isGrounded,
  judge,
  level,
  pin,
  primitivesOf,
  strangers,
  take,
  told,
} from './helpers.ts';

const host = told('host', [0, 'there are hosts'], [1, 'a machine']);

async function refusal(bundle: Bundle | string, change: Partial<Pin> = {}, ...own: readonly Primitive[]) {
  const graph = await graphOf(concept('file', level(0, 'f'), level(1, 'bytes')), ...own);
  const before = [await graph.version(), await primitivesOf(graph)];
  const desk = deskOf(graph, pin(change));
  const done = await take(desk, bundle);
  expect([await graph.version(), await primitivesOf(graph)]).toEqual(before);
  expect(await desk.states.read()).toEqual({});
  return done.type === 'refused' ? done.reasons.map(({ code }) => code) : [done.type];
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

describe('a hostile bundle is refused with a code, and nothing changes', () => {
  it('signed by another key', async () => {
    expect(await refusal(bundleOf([host], { privateKey: strangers.privateKey }))).toEqual(['peers.wrong-signature']);
    const copied = { ...bundleOf([host]), signature: bundleOf([host], { sequence: 2 }).signature };
    expect(await refusal(copied)).toEqual(['peers.wrong-signature']);
    for (const signature of ['', 'x', `${'A'.repeat(86)}==`])
      expect(await refusal({ ...bundleOf([host]), signature })).toEqual(['peers.wrong-signature']);
  });

  it('of a peer that nobody pinned', async () => {
    expect(await refusal(bundleOf([host], { peer: 'somebody' }))).toEqual(['peers.unknown-peer']);
    expect(await refusal(bundleOf([host], { peer: 'ACME' }))).toEqual(['peers.unknown-peer']);
  });

  it('with a changed byte anywhere', async () => {
    const text = formatBundle(bundleOf([host, told('cluster', [0, 'c'])]));
    const graph = await graphOf();
    const desk = deskOf(graph, pin());
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 2), fc.constantFrom('a', '0', '"', ' ', 'é'), async (at, sign) => {
        const changed = text.slice(0, at) + sign + text.slice(at + 1);
        if (changed === text) return;
        const done = await take(desk, changed);
        expect(done.type).toBe('refused');
      }),
      { numRuns: 300 },
    );
    expect(await graph.version()).toMatchObject({ revision: 0 });
  });

  it('with its signature in another spelling of the same bytes', async () => {
    const text = formatBundle(bundleOf([host]));
    const at = text.indexOf('=="') - 1;
    const spelled = ALPHABET[ALPHABET.indexOf(text[at] as string) ^ 1];
    const done = await take(deskOf(await graphOf(), pin()), `${text.slice(0, at)}${spelled}${text.slice(at + 1)}`);
    expect(done.type).toBe('refused');
  });

  it('with knowledge outside of its scope, too high, or too much', async () => {
    expect(await refusal(bundleOf([host]), { concepts: ['cluster', 'kube*'] })).toEqual(['peers.out-of-scope']);
    expect(await refusal(bundleOf([host]), { concepts: [] })).toEqual(['peers.out-of-scope']);
    expect(await refusal(bundleOf([host]), { maxLevel: 0 })).toEqual(['peers.level-too-high']);
    expect(await refusal(bundleOf([host, told('b', [0, 'b'])]), { maxPrimitives: 1 })).toEqual([
      'peers.too-many-primitives',
    ]);
  });

  it.each(['fi1e\u200b', 'f\u200bile', 'fi-le', 'f.i.l.e', 'fіle', 'FÍLE', '\u202Efile', 'fi\u0301le'])(
    'with the name %j that looks like one of ours',
    async (name) => {
      expect(await refusal(bundleOf([told(name, [0, 'x'])]))).toEqual(['peers.confusable-name']);
    },
  );

  it('with two names that look alike, or the reserved one', async () => {
    expect(await refusal(bundleOf([told('deploy', [0, 'x']), told('dерloy', [0, 'x'])]))).toEqual([
      'peers.confusable-name',
    ]);
    expect(await refusal(bundleOf([told('Unknown-Command', [0, 'x'])]))).toEqual(['peers.reserved-name']);
  });

  it('that closes a cycle across the border', async () => {
    const ours = [
      concept('inner', level(0, 'i')),
      concept('outer', level(0, 'o', [['requires', 'inner', 0]])),
    ] as const;
    expect(await refusal(bundleOf([told('inner', [0, '', ['depends-on', 'outer', 0]])]), {}, ...ours)).toEqual([
      'peers.cycle',
    ]);
    const long = [
      told('inner', [0, '', ['requires', 'between', 0]]),
      told('between', [0, 'b', ['constrained-by', 'outer', 0]]),
    ];
    expect(await refusal(bundleOf(long), {}, ...ours)).toEqual(['peers.cycle']);
    expect(await refusal(bundleOf([told('self', [0, 's', ['requires', 'self', 0]])]))).toEqual(['peers.cycle']);
  });

  it('that names what nobody knows', async () => {
    expect(await refusal(bundleOf([told('a', [0, 'a', ['requires', 'nothing', 0]])]))).toEqual([
      'peers.unknown-target',
    ]);
  });

  it('that is nested deeply, huge, or no bundle at all', async () => {
    const deep = `{"manifest":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(await refusal(deep)).toEqual(['peers.nested-too-deep']);
    expect(await refusal(`{"a":"${'['.repeat(100)}"}`)).toEqual(['peers.malformed']);
    for (const text of ['', '[]', 'null', '{', '{"__proto__":1}', '7', '"x"'])
      expect(await refusal(text)).toEqual(['peers.malformed']);
  });

  it('that hides a primitive, or brings one that the manifest does not name', async () => {
    const [one, two] = [bundleOf([host]), bundleOf([told('b', [0, 'b'])])];
    expect(await refusal({ ...one, primitives: {} })).toEqual(['peers.digest-mismatch']);
    expect(await refusal({ ...one, primitives: { ...one.primitives, ...two.primitives } })).toEqual([
      'peers.digest-mismatch',
    ]);
    expect(await refusal({ ...one, policies: [] } as never)).toEqual(['peers.malformed']);
  });

  it.each([
    { name: 'a', levels: [{ level: 5, properties: {}, relata: [] }] },
    {
      name: 'a',
      levels: [
        { level: 1, properties: {}, relata: [] },
        { level: 0, properties: {}, relata: [] },
      ],
    },
    { name: 'a', levels: [{ level: 0, properties: [], relata: [] }] },
    {
      name: 'a',
      levels: [{ level: 0, properties: {}, relata: [{ relation: 'causes', target: 'file', targetDepth: 0 }] }],
    },
    { name: 'a', levels: [{ level: 0, properties: {}, relata: [], provenance: { source: 'authored' } }] },
    { name: '', levels: [] },
    { name: '\uD800', levels: [] },
    { name: 'a', levels: [], id: 'file' },
  ])('that holds %j', async (primitive) => {
    let text: string;
    try {
      text = formatBundle(bundleOf([primitive as never]));
    } catch {
      text = JSON.stringify({ ...bundleOf([host]), primitives: { x: primitive } });
    }
    const codes = await refusal(text);
    expect(['peers.malformed', 'peers.digest-mismatch']).toContain(codes[0]);
  });

  it('and texts of any kind never throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseBundle(text).type).toBe('refused');
      }),
    );
  });
});

describe('a law', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const relation = fc.constantFrom('requires' as const, 'depends-on' as const, 'applies-to' as const);
  const edges = (below: number) =>
    fc.array(
      fc.tuple(
        relation,
        fc.constantFrom(...names.slice(0, Math.max(1, below))),
        fc.constantFrom(0 as const, 1 as const),
      ),
      {
        maxLength: below === 0 ? 0 : 2,
      },
    );

  it('whatever a peer brings and takes away again, ours is as it was, and nothing that stands on the peer gains', async () => {
    const drawn = fc.tuple(
      ...names.map((_, index) => fc.record({ ours: fc.boolean(), theirs: fc.boolean(), edges: edges(index) })),
    );
    await fc.assert(
      fc.asyncProperty(drawn, fc.constantFrom('grounds' as const, 'informs' as const), async (parts, mode) => {
        const ours = parts.flatMap(({ ours: own, edges: drawnEdges }, index) => {
          const kept = drawnEdges.filter(([, target]) => parts[names.indexOf(target)]?.ours === true);
          return own ? [concept(names[index] as string, level(0, 'ours'), level(1, 'ours', kept))] : [];
        });
        const theirs = parts.flatMap(({ theirs: own, edges: drawnEdges }, index) => {
          const known = (name: string) =>
            parts[names.indexOf(name)]?.ours === true || parts[names.indexOf(name)]?.theirs === true;
          return own
            ? [
                told(
                  names[index] as string,
                  [0, 'theirs'],
                  [1, 'theirs', ...drawnEdges.filter(([, target]) => known(target))],
                ),
              ]
            : [];
        });
        const graph = await graphOf(...ours);
        const before = await primitivesOf(graph);
        const groundedBefore = await Promise.all(ours.map(({ name }) => isGrounded(graph, name)));
        const desk = deskOf(graph, pin({ mode }));
        expect((await take(desk, bundleOf(theirs))).type).toBe('applied');
        if (mode === 'informs')
          expect(await Promise.all(ours.map(({ name }) => isGrounded(graph, name)))).toEqual(groundedBefore);
        expect((await revokePeer({ graph, states: desk.states, judge }, pin())).type).not.toBe('refused');
        expect(await primitivesOf(graph)).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });
});
