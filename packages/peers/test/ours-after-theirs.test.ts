import { applyImport, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { createGrounder, learnGap, unlearn } from '@warrant/grounding';
import { FAILURE_KIND, failureProposalId, failureProposalKind } from '@warrant/grounding/failures';
import { describe, expect, it } from 'vitest';
import { formatBundle, planBundle, revokePeer } from '../src/index.ts';
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
  take,
  told,
} from './helpers.ts';

const theirs = bundleOf([
  told('host', [0, 'there are hosts'], [1, 'a machine']),
  told('cluster', [0, 'clusters'], [1, 'machines', ['requires', 'host', 1], ['constrained-by', 'host', 0]]),
]);
const DOCUMENT = `
format: warrant.graph/1
name: ours
concepts:
  host: { existence: there are hosts, identity: a machine }
  cluster: { existence: clusters, identity: { text: machines, requires: { host: identity } } }
`;

async function author(graph: Awaited<ReturnType<typeof graphOf>>) {
  const parsed = parseGraphDocuments([{ file: 'ours.yaml', text: DOCUMENT }]);
  if (parsed.type === 'invalid') throw new Error('the document has faults');
  const plan = await planImport(graph, parsed.documents);
  if (plan.type === 'invalid') throw new Error('the document cannot be imported');
  await applyImport(graph, plan);
  return plan;
}

describe.each(['informs', 'grounds'] as const)('what a person writes after a peer that %s said the same', (mode) => {
  it('is authored from then on: it counts, and stays when the peer is revoked', async () => {
    const graph = await graphOf();
    const desk = deskOf(graph, pin({ mode }));
    await take(desk, theirs);
    expect(await isGrounded(graph, 'cluster')).toBe(mode === 'grounds');
    expect((await author(graph)).changed.map(({ name }) => name)).toEqual(['host', 'cluster']);
    expect(await isGrounded(graph, 'cluster')).toBe(true);
    expect((await author(graph)).unchanged).toEqual(['host', 'cluster']);
    const cluster = (await primitivesOf(graph)).get('cluster');
    expect(cluster?.depths[1]?.relata.map(({ provenance }) => provenance.source)).toEqual(['authored', 'peer']);
    const revoked = await revokePeer({ graph, states: desk.states, judge }, pin());
    expect(revoked).toMatchObject({ type: 'revoked', plan: { losesGround: [], removed: [] } });
    expect(await isGrounded(graph, 'cluster')).toBe(true);
  });
});

describe('what is learned after a peer that informs said it', () => {
  it('counts as a level, with what others put on it', async () => {
    const graph = await graphOf(concept('rack', level(0, 'racks')));
    await take(deskOf(graph, pin({ mode: 'informs' })), theirs);
    const provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' } as const;
    const edge = {
      source: (await primitivesOf(graph)).get('host')?.id ?? '',
      sourceDepth: 1,
      relation: 'requires',
      target: 'rack',
      targetDepth: 0,
    } as const;
    await graph.apply([{ type: 'put-relatum', edge, provenance }], { id: 'own', expected: 'any' });
    const grounder = createGrounder({ graph });
    for (let round = 0; round < 3; round += 1) {
      const result = await grounder.check({ concepts: ['host'], minDepth: 1 });
      const gap = result.gaps[0];
      if (gap?.type !== 'depth') break;
      const levels = gap.missing.map((at) => ({ level: at, properties: { text: 'learned' } }));
      const request = {
        gap,
        candidate: { type: 'depth', levels },
        query: { concepts: ['host'], minDepth: 1 },
      } as const;
      expect(await learnGap(graph, request, { proposalId: `p${round}` })).toMatchObject({ type: 'learned' });
    }
    expect((await grounder.check({ concepts: ['host'], minDepth: 1 })).grounded).toBe(true);
    const host = (await primitivesOf(graph)).get('host');
    expect(host?.depths[1]).toMatchObject({ provenance: { source: 'learned' }, relata: [{ target: 'rack' }] });
  });

  it('counts as a relatum that a failure revealed, until it is taken back', async () => {
    const graph = await graphOf(
      concept('host', level(0, 'ours'), level(1, 'ours')),
      concept('cluster', level(0, 'ours'), level(1, 'ours')),
    );
    await take(deskOf(graph, pin({ mode: 'informs' })), theirs);
    const kind = failureProposalKind({ graph });
    const edge = {
      source: 'cluster',
      sourceDepth: 1,
      relation: 'constrained-by',
      target: 'host',
      targetDepth: 0,
    } as const;
    const payload = { edge, text: 'it is so', entry: 'x', evidence: [] };
    expect(await kind.check(payload)).toEqual([]);
    const id = failureProposalId(edge);
    const proposal = { id, kind: FAILURE_KIND, proposedBy: 'a', proposedAt: '', payload };
    expect(await kind.apply(proposal)).toMatchObject({ type: 'applied' });
    const pathway = async () => (await createGrounder({ graph }).check({ concepts: ['cluster'] })).pathway;
    expect(await pathway()).toMatchObject([{ relation: 'constrained-by' }]);
    expect(await kind.check(payload)).toMatchObject([{ code: 'failure.known' }]);
    expect(await unlearn(graph, id)).toMatchObject({ type: 'unlearned' });
    expect(await pathway()).toEqual([]);
    expect(await planBundle(deskOf(graph, pin({ mode: 'informs' })), formatBundle(theirs))).toMatchObject({
      type: 'plan',
    });
  });
});
