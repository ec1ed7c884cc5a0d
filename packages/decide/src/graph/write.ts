import type { Json, JsonObject } from '@warrant/core';
import { Writer } from 'n3';
import type { Provenance } from '../provenance.ts';
import { provenanceQuads } from './quads.ts';
import { AGENT_VOCABULARY, CLASSES, PROV, planIri, XSD } from './vocabulary.ts';

/** Turtle 1.2; annotations stand on triple terms. */
export function toTurtle(provenance: Provenance): Promise<string> {
  return write(provenance, { prefixes: { a: AGENT_VOCABULARY, prov: PROV, xsd: XSD } });
}

/** N-Triples 1.2, one line a triple. */
export function toNTriples(provenance: Provenance): Promise<string> {
  return write(provenance, { format: 'N-Triples' });
}

function write(provenance: Provenance, options: object): Promise<string> {
  const writer = new Writer(options);
  writer.addQuads([...provenanceQuads(provenance)]);
  return new Promise((resolve, reject) => {
    writer.end((error, text) => (error ? reject(error as Error) : resolve(text as string)));
  });
}

/** JSON-LD 1.1, which knows no triple terms: annotations stand on the decision itself. */
export function toJsonLd(provenance: Provenance): JsonObject {
  const { actor, program, decisions, llmCalls, toolCalls, plans, grants } = provenance;
  const at = (kind: string, name: string) => `${actor}/${kind}/${encodeURIComponent(name)}`;
  const node = (
    type: keyof typeof CLASSES,
    id: string,
    more: Readonly<Record<string, Json | undefined>>,
  ): JsonObject => ({
    '@id': id,
    '@type': [type, `prov:${CLASSES[type]}`],
    ...(Object.fromEntries(
      Object.entries(more).filter(([, value]) => value !== undefined && value !== null),
    ) as JsonObject),
  });
  const grantOf = (holder: string) => grants.find((grant) => grant.holder === holder)?.id;
  return {
    '@context': {
      '@vocab': AGENT_VOCABULARY,
      prov: PROV,
      run: { '@type': '@id' },
      chose: { '@type': '@id' },
      offered: { '@type': '@id' },
      'prov:wasInformedBy': { '@type': '@id' },
      'prov:wasAssociatedWith': { '@type': '@id' },
      'prov:wasGeneratedBy': { '@type': '@id' },
      'prov:hadPlan': { '@type': '@id' },
      'prov:agent': { '@type': '@id' },
      'prov:wasDerivedFrom': { '@type': '@id' },
      ran: { '@type': '@id' },
      grant: { '@type': '@id' },
    },
    '@graph': [
      node('Run', actor, { chart: program, grant: grantOf(actor) }),
      ...decisions.map(
        ({ id, state, outcome, event, decider, after, offered, annotations: { usage, ...annotations } }) =>
          node('Decision', id, {
            run: actor,
            state,
            outcome,
            chose: outcome === 'accepted' && event !== null ? at('event', event) : undefined,
            offered: offered.map((one) => at('event', one)),
            'prov:wasAssociatedWith': at('decider', decider),
            'prov:wasInformedBy': after,
            ...annotations,
            promptTokens: usage?.promptTokens,
            completionTokens: usage?.completionTokens,
          }),
      ),
      ...llmCalls.map(({ id, provider, model, outcome, promptHash, after, usage }) =>
        node('LlmCall', id, {
          run: actor,
          provider,
          model,
          outcome,
          promptHash,
          grant: grantOf(id),
          'prov:wasInformedBy': after,
          promptTokens: usage?.promptTokens,
          completionTokens: usage?.completionTokens,
        }),
      ),
      ...toolCalls.map(({ id, tool, outcome, after }) =>
        node('ToolCall', id, { run: actor, outcome, 'prov:wasAssociatedWith': tool, 'prov:wasInformedBy': after }),
      ),
      ...plans.map(({ id, plan, outcome, class: failure, writtenBy }) =>
        node('PlanExecution', id, {
          run: actor,
          outcome,
          class: failure,
          ran: plan === null ? null : planIri(plan),
          grant: grantOf(id),
          'prov:wasInformedBy': writtenBy,
          'prov:qualifiedAssociation':
            plan === null ? null : { '@type': 'prov:Association', 'prov:agent': actor, 'prov:hadPlan': planIri(plan) },
        }),
      ),
      ...plans.flatMap(({ plan, writtenBy }) =>
        plan === null ? [] : [node('Plan', planIri(plan), { 'prov:wasGeneratedBy': writtenBy })],
      ),
      ...grants.map(({ id, from, targets, tools, deciders, functions }) =>
        node('Grant', id, { 'prov:wasDerivedFrom': from, targets, tools, deciders, functions }),
      ),
    ],
  };
}
