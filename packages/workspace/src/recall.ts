import { type DepthLevel, foldName, type GroundingResult } from '@warrant/core';
import { experienceKey } from '@warrant/grounding/experience';

/**
 * The entities under which memories about the concepts of a check are tagged: `concept:<fold key>/<level>`, sorted. Those
 * of gaps are among them, at the levels that are missing: what went wrong there before is worth knowing most of all.
 */
export function conceptEntities(result: Pick<GroundingResult, 'primitives' | 'gaps'>): readonly string[] {
  const keyOf = (concept: string, level: DepthLevel): string => experienceKey({ concept: foldName(concept), level });
  const known = result.primitives.flatMap(({ name, depths }) => depths.map(({ level }) => keyOf(name, level)));
  const missing = result.gaps.flatMap((gap) => {
    switch (gap.type) {
      case 'depth':
        return gap.missing.map((level) => keyOf(gap.concept, level));
      case 'relational':
        return gap.missing.map((level) => keyOf(gap.target, level));
      default:
        return [keyOf(gap.concept, 0)];
    }
  });
  return [...new Set([...known, ...missing])].sort();
}

/** What every recall takes. */
export type RecallByEntities = { readonly query: string; readonly entities?: readonly string[] };

/**
 * Recalls what is remembered about the concepts of a check, such as how an act on them went before.
 * @param retrieve finds memories, also those tagged with one of the entities: `retrieve` of `@warrant/memory` does
 */
export function retrieveByConcepts<Found, Request extends RecallByEntities>(
  retrieve: (request: Request) => Found,
  result: Pick<GroundingResult, 'primitives' | 'resolved' | 'gaps'>,
  request: Omit<Request, keyof RecallByEntities> & Partial<RecallByEntities>,
): Found {
  const entities = [...new Set([...(request.entities ?? []), ...conceptEntities(result)])];
  return retrieve({ ...request, query: request.query ?? result.resolved.join(' '), entities } as unknown as Request);
}
