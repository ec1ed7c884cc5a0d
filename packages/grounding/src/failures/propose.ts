import {
  type DepthLevel,
  type Digest,
  digest,
  foldName,
  type Json,
  type JsonObject,
  type Observation,
  type RelationType,
  type ToolCall,
} from '@warrant/core';
import { FAILURE_CATALOGUE, type FailureCatalogue, type FailureEntry } from './catalogue.ts';
import { failureFacts } from './facts.ts';
import { matchFailure } from './match.ts';

/** A relatum that a failure revealed, by names and with both levels. */
export type FailureEdge = {
  readonly source: string;
  readonly sourceDepth: DepthLevel;
  readonly relation: RelationType;
  readonly target: string;
  readonly targetDepth: DepthLevel;
};
export type FailureFinding =
  | { readonly type: 'no-failure' | 'unknown-failure' }
  | {
      readonly type: 'proposal';
      /** The same for the same edge, so that what was filed once is not filed again. */
      readonly id: string;
      readonly entry: string;
      readonly edge: FailureEdge;
      /** What the level says when the act has none yet. */
      readonly text: string;
      /** The observation by its digest. */
      readonly evidence: Digest;
    };

/**
 * Which constraint a mechanical failure reveals that was not modelled. Pure; it never looks at the graph, and nothing is
 * learned by it.
 * @param concepts what the call was checked for, in the order given
 */
export function proposeFromFailure(
  call: Pick<ToolCall, 'tool'>,
  observation: Pick<Observation, 'outcome' | 'result' | 'full'>,
  concepts: readonly string[],
  catalogue: FailureCatalogue = FAILURE_CATALOGUE,
): FailureFinding {
  const facts = failureFacts(observation);
  if (!facts.failed) return { type: 'no-failure' };
  const entry = matchFailure(facts, call.tool, catalogue);
  const source = entry === undefined ? undefined : actOf(entry, concepts);
  if (entry === undefined || source === undefined) return { type: 'unknown-failure' };
  const { relation, target, targetDepth, sourceDepth = 3 } = entry;
  const edge: FailureEdge = { source, sourceDepth, relation, target, targetDepth };
  const evidence = observation.full?.digest ?? digest(observation.result as Json);
  return { type: 'proposal', id: failureProposalId(edge), entry: entry.key, edge, text: entry.text, evidence };
}

/** The id under which an edge stands in the review queue. */
export function failureProposalId(edge: FailureEdge): string {
  const { source, target, ...rest } = edge;
  const key = { ...rest, source: foldName(source), target: foldName(target) };
  return `failure-${digest(key as JsonObject).slice('sha256:'.length)}`;
}

function actOf({ acts = [], target }: FailureEntry, concepts: readonly string[]): string | undefined {
  const given = concepts.filter((concept) => concept !== '' && foldName(concept) !== foldName(target));
  for (const act of acts) {
    const found = given.find((concept) => foldName(concept) === foldName(act));
    if (found !== undefined) return found;
  }
  return given[0];
}
