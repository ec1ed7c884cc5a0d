import { createVirtualClock, type Json } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import {
  createMemoryPeerStates,
  fingerprint,
  formatBundle,
  parseBundle,
  peerImportKind,
  planBundle,
  proposePeerImport,
  revokePeer,
} from '../src/index.ts';
import {
  authored,
  bundleOf,
  concept,
  deskOf,
  graphOf,
  isGrounded,
  judge,
  keys,
  learned,
  level,
  pin,
  primitivesOf,
  publish,
  put,
  take,
  told,
} from './helpers.ts';

const cluster = told('cluster', [0, 'there are clusters'], [1, 'machines under one control', ['requires', 'host', 1]]);
const host = told('host', [0, 'there are hosts'], [1, 'a machine']);

describe('publishing', () => {
  it('gives what a second graph takes in as it was, stamped with where it came from', async () => {
    const theirs = await graphOf(
      concept('host', level(0, 'hosts'), level(1, 'a machine')),
      concept('cluster', level(0, 'clusters'), level(1, 'many', [['requires', 'host', 1]])),
    );
    const { bundle, digest, needs } = await publish(theirs, ['cluster']);
    expect(needs).toEqual([]);
    const ours = await graphOf();
    expect(await take(deskOf(ours, pin()), bundle)).toMatchObject({ type: 'applied', plan: { counts: { added: 2 } } });
    expect(await isGrounded(ours, 'CLUSTER')).toBe(true);
    const provenance = {
      source: 'peer',
      at: '2026-03-01T00:00:00.000Z',
      peer: { name: 'acme', bundle: digest, sequence: 1, mode: 'grounds' },
    };
    const taken = (await primitivesOf(ours)).get('cluster');
    expect([taken?.provenance, taken?.depths[1]?.provenance, taken?.depths[1]?.relata[0]?.provenance]).toEqual([
      provenance,
      provenance,
      provenance,
    ]);
  });

  it('gives the same text for the same graph, and reads it back', async () => {
    const graph = await graphOf(concept('host', level(0, 'hosts')));
    const first = await publish(graph, ['host']);
    const second = await publish(graph, ['HOST']);
    expect(formatBundle(first.bundle)).toBe(formatBundle(second.bundle));
    expect(parseBundle(formatBundle(first.bundle))).toEqual({
      type: 'bundle',
      bundle: first.bundle,
      digest: first.digest,
    });
  });

  it('passes on nothing that other peers told', async () => {
    const graph = await graphOf(concept('host', level(0, 'hosts')));
    await take(deskOf(graph, pin()), bundleOf([told('host', [0, 'x'], [1, 'theirs']), cluster]));
    const { bundle } = await publish(graph, ['host']);
    expect(Object.values(bundle.primitives).map(({ levels }) => levels.map((one) => one.level))).toEqual([[0]]);
    await expect(publish(graph, ['cluster'])).rejects.toMatchObject({ code: 'PEERS_UNKNOWN_CONCEPT' });
  });

  it('can leave out what the other side has to know, and says what that is', async () => {
    const graph = await graphOf(
      concept('host', level(0, 'hosts')),
      concept('cluster', level(0, 'c', [['requires', 'host', 0]])),
    );
    const { bundle, needs } = await publish(graph, ['cluster'], 1, true);
    expect([Object.keys(bundle.primitives).length, needs]).toEqual([1, ['host']]);
  });
});

describe('an import', () => {
  it('never overwrites: what is known stands, and the difference is shown side by side', async () => {
    const ours = await graphOf(
      concept('host', level(0, 'ours'), level(1, 'learned', [], learned)),
      concept('cluster', level(0, 'authored')),
    );
    const before = await primitivesOf(ours);
    const done = await take(deskOf(ours, pin()), bundleOf([host, cluster]));
    expect(done).toMatchObject({
      type: 'applied',
      plan: {
        counts: { added: 0, changed: 1, levels: 1, relata: 1, contradictions: 3 },
        contradictions: [
          { concept: 'cluster', level: 0, ours: { text: 'authored' }, source: 'authored' },
          { concept: 'host', level: 0, ours: { text: 'ours' }, theirs: { text: 'there are hosts' } },
          { concept: 'host', level: 1, ours: { text: 'learned' }, source: 'learned' },
        ],
      },
    });
    const after = await primitivesOf(ours);
    expect(after.get('host')).toEqual(before.get('host'));
    expect(after.get('cluster')?.depths[0]).toEqual(before.get('cluster')?.depths[0]);
    expect(after.get('cluster')?.depths[1]?.provenance.source).toBe('peer');
  });

  it('comes twice as a duplicate, and older ones not at all', async () => {
    const desk = deskOf(await graphOf(), pin());
    const second = bundleOf([host, cluster], { sequence: 2 });
    await take(desk, second);
    const version = await desk.graph.version();
    expect(await take(desk, second)).toMatchObject({ type: 'duplicate', peer: 'acme' });
    for (const sequence of [1, 2])
      expect(await take(desk, bundleOf([host], { sequence }))).toMatchObject({
        type: 'refused',
        reasons: [{ code: 'peers.old-sequence', data: { last: 2 } }],
      });
    expect(await desk.graph.version()).toEqual(version);
  });

  it('of a newer bundle replaces what the peer said before, and nothing else', async () => {
    const desk = deskOf(await graphOf(concept('ours', level(0, 'o'))), pin());
    await take(desk, bundleOf([host, cluster, told('old', [0, 'x'])]));
    const done = await take(desk, bundleOf([told('host', [0, 'new words'])], { sequence: 2 }));
    expect(done).toMatchObject({ plan: { changed: ['host'], withdrawn: ['cluster', 'old'] } });
    const after = await primitivesOf(desk.graph as never);
    expect([...after.keys()].sort()).toEqual(['host', 'ours']);
    expect(after.get('host')?.depths).toMatchObject([{ level: 0, properties: { text: 'new words' } }]);
  });

  it('under a changed pin is planned anew and moves the version and the digest of views', async () => {
    const graph = await graphOf();
    const desk = deskOf(graph, pin({ mode: 'informs' }));
    const bundle = bundleOf([host, cluster]);
    await take(desk, bundle);
    expect(await isGrounded(graph, 'cluster')).toBe(false);
    const informed = await graph.view(['cluster']);
    desk.current = [pin({ mode: 'grounds' })];
    expect(await take(desk, bundle)).toMatchObject({ type: 'applied', plan: { changed: ['cluster', 'host'] } });
    expect(await isGrounded(graph, 'cluster')).toBe(true);
    const grounding = await graph.view(['cluster']);
    expect(grounding.version.revision).toBeGreaterThan(informed.version.revision);
    expect(grounding.digest).not.toBe(informed.digest);
    expect(await take(desk, bundle)).toMatchObject({ type: 'duplicate' });
  });

  it('names concepts that are here already', async () => {
    const graph = await graphOf(concept('host', level(0, 'h'), level(1, 'i')));
    expect(await take(deskOf(graph, pin({ concepts: ['cluster'] })), bundleOf([cluster]))).toMatchObject({
      type: 'applied',
    });
    expect(await isGrounded(graph, 'cluster')).toBe(true);
  });
});

describe('review', () => {
  it('files bundle digest, plan digest and counts, and no knowledge', async () => {
    const desk = deskOf(await graphOf(), pin());
    const filed: Json[] = [];
    const file = async (proposal: unknown) => {
      filed.push(proposal as Json);
      return { type: 'queued' };
    };
    const reviewer = { file } as never;
    const bundle = bundleOf([host]);
    const done = await proposePeerImport(reviewer, desk, formatBundle(bundle), { proposedBy: 'kim' });
    expect(done).toMatchObject({ type: 'filed', plan: { added: ['host'] } });
    expect(filed).toMatchObject([
      {
        kind: 'peer-import',
        proposedBy: 'kim',
        payload: { peer: 'acme', sequence: 1, mode: 'grounds', counts: { added: 1, contradictions: 0 } },
      },
    ]);
    expect(JSON.stringify(filed)).not.toContain('there are hosts');
    expect(await desk.graph.version()).toMatchObject({ revision: 0 });
  });

  it('applies only the plan that was approved', async () => {
    const graph = await graphOf();
    const desk = deskOf(graph, pin());
    const text = formatBundle(bundleOf([host, cluster]));
    const plan = await planBundle(desk, text);
    if (plan.type !== 'plan') throw new Error('no plan');
    await desk.bundles.put(plan.bundle, text);
    const kind = peerImportKind(desk);
    const payload = { bundle: plan.bundle, plan: plan.plan };
    expect(await kind.check(payload)).toEqual([]);
    await put(graph, concept('elsewhere', level(0, 'unrelated')));
    expect(await kind.check(payload)).toEqual([]);
    await put(graph, concept('host', level(0, 'ours')));
    const proposal = { id: 'x', kind: 'peer-import', proposedBy: 'a', proposedAt: '2026-01-01T00:00:00Z', payload };
    expect(await kind.apply(proposal)).toMatchObject({ type: 'refused', reasons: [{ code: 'peers.plan-changed' }] });
    desk.current = [pin({ maxLevel: 0 })];
    expect(await kind.check(payload)).toMatchObject([{ data: { concept: 'cluster', limit: 0 } }, {}]);
    expect(await kind.check({ bundle: 'sha256:x', plan: '' })).toMatchObject([{ code: 'peers.missing-bundle' }]);
  });

  it('is idempotent: an import that went through before its state was written goes through again', async () => {
    const desk = deskOf(await graphOf(), pin());
    const bundle = bundleOf([host]);
    await take(desk, bundle);
    const version = await desk.graph.version();
    const forgetful = { ...desk, states: createMemoryPeerStates(), pins: async () => [pin()] };
    expect(await take(forgetful as never, bundle)).toMatchObject({ type: 'applied' });
    expect(await desk.graph.version()).toEqual(version);
    expect((await forgetful.states.read())[fingerprint(keys.publicKey)]).toMatchObject({ sequence: 1 });
  });
});

describe('revocation', () => {
  const stands = concept('deploy', level(0, 'd'), level(1, 'onto', [['requires', 'cluster', 1]]));

  async function imported() {
    const graph = await graphOf();
    const desk = deskOf(graph, pin());
    await take(desk, bundleOf([host, cluster, told('alone', [0, 'x'])]));
    const ids = await primitivesOf(graph);
    const deploy = JSON.parse(
      JSON.stringify(stands).replace('"target":"cluster"', `"target":"${ids.get('cluster')?.id}"`),
    ) as typeof stands;
    await put(graph, deploy);
    return {
      graph,
      desk,
      parts: { graph, states: desk.states, judge, clock: createVirtualClock('2026-04-01T00:00:00Z') },
    };
  }

  it('makes dependants lose ground, never gain it, and says which', async () => {
    const { graph, parts } = await imported();
    expect(await isGrounded(graph, 'deploy')).toBe(true);
    const dry = await revokePeer(parts, pin(), { dryRun: true });
    expect(dry).toMatchObject({ plan: { losesGround: ['alone', 'cluster', 'deploy', 'host'], gainsGround: [] } });
    expect(await isGrounded(graph, 'deploy')).toBe(true);
    const done = await revokePeer(parts, pin());
    expect(done).toMatchObject({ type: 'revoked', plan: { removed: ['alone', 'host'], kept: ['cluster'] } });
    expect(await isGrounded(graph, 'deploy')).toBe(false);
    const after = await primitivesOf(graph);
    expect(after.get('cluster')?.depths).toEqual([]);
    expect(after.get('deploy')?.depths[1]?.relata).toHaveLength(1);
    expect(await revokePeer(parts, pin())).toMatchObject({ type: 'nothing-known' });
  });

  it('keeps what people put on a level of the peer, and opens nothing by it', async () => {
    const { graph, parts } = await imported();
    const held = (await primitivesOf(graph)).get('cluster') as never as ReturnType<typeof concept>;
    const own = { relation: 'constrained-by' as const, target: held.id, targetDepth: 3 as const, provenance: authored };
    await put(graph, concept('guard', level(0, 'g')));
    await graph.apply(
      [
        {
          type: 'put-relatum',
          edge: { source: held.id, sourceDepth: 1, relation: own.relation, target: 'guard', targetDepth: 0 },
          provenance: authored,
        },
      ],
      { id: 'own', expected: 'any' },
    );
    await revokePeer(parts, pin());
    const rest = (await primitivesOf(graph)).get('cluster');
    expect(rest?.depths).toMatchObject([{ level: 1, properties: {}, relata: [{ target: 'guard' }] }]);
    expect(await isGrounded(graph, 'cluster')).toBe(false);
    expect(await isGrounded(graph, 'deploy')).toBe(false);
  });

  it('names what is grounded again because the peer itself had asked for more', async () => {
    const graph = await graphOf(concept('deploy', level(0, 'd')));
    const desk = deskOf(graph, pin());
    await take(desk, bundleOf([told('deploy', [0, '', ['requires', 'ticket', 3]]), told('ticket', [0, 't'])]));
    expect(await isGrounded(graph, 'deploy')).toBe(false);
    const done = await revokePeer({ graph, states: desk.states, judge }, pin());
    expect(done).toMatchObject({ plan: { gainsGround: ['deploy'] } });
  });

  it('refuses the peer until it is pinned anew, and its old bundles for good', async () => {
    const { desk, parts } = await imported();
    await revokePeer(parts, pin());
    const next = bundleOf([host], { sequence: 2 });
    expect(await take(desk, next)).toMatchObject({ type: 'refused', reasons: [{ code: 'peers.revoked-peer' }] });
    desk.current = [pin({ pinnedAt: '2026-03-31T00:00:00Z' })];
    expect(await take(desk, next)).toMatchObject({ reasons: [{ code: 'peers.revoked-peer' }] });
    desk.current = [pin({ name: 'acme', pinnedAt: '2026-04-02T00:00:00Z' })];
    expect(await take(desk, bundleOf([host, cluster, told('alone', [0, 'x'])]))).toMatchObject({
      reasons: [{ code: 'peers.old-sequence' }],
    });
    expect(await take(desk, next)).toMatchObject({ type: 'applied' });
  });

  it('lets an import that waits for approval run into the refusal', async () => {
    const desk = deskOf(await graphOf(), pin());
    const text = formatBundle(bundleOf([host]));
    const plan = await planBundle(desk, text);
    if (plan.type !== 'plan') throw new Error('no plan');
    await desk.bundles.put(plan.bundle, text);
    await revokePeer({ graph: desk.graph, states: desk.states, judge }, pin());
    const payload = { bundle: plan.bundle, plan: plan.plan };
    const proposal = { id: 'x', kind: 'peer-import', proposedBy: 'a', proposedAt: '2026-01-01T00:00:00Z', payload };
    expect(await peerImportKind(desk).apply(proposal)).toMatchObject({ reasons: [{ code: 'peers.revoked-peer' }] });
  });
});
