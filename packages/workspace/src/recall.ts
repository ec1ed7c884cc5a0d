import { foldName, type GroundingResult } from '@warrant/core';
import { experienceKey } from '@warrant/grounding/experience';

/** The entities under which memories about the concepts of a check are tagged: `concept:<fold key>/<level>`, sorted. */
export function conceptEntities(result: Pick<GroundingResult, 'primitives'>): readonly string[] {
  const entities = result.primitives.flatMap(({ name, depths }) =>
    depths.map(({ level }) => experienceKey({ concept: foldName(name), level })),
  );
  return [...new Set(entities)].sort();
}

/** What every recall takes. */
export type RecallByEntities = { readonly query: string; readonly entities?: readonly string[] };

/**
 * Recalls what is remembered about the concepts of a check, such as how an act on them went before.
 * @param retrieve finds memories, also those tagged with one of the entities: `retrieve` of `@warrant/memory` does
 */
export function retrieveByConcepts<Found, Request extends RecallByEntities>(
  retrieve: (request: Request) => Found,
  result: Pick<GroundingResult, 'primitives' | 'resolved'>,
  request: Omit<Request, keyof RecallByEntities> & Partial<RecallByEntities>,
): Found {
  const entities = [...new Set([...(request.entities ?? []), ...conceptEntities(result)])];
  return retrieve({ ...request, query: request.query ?? result.resolved.join(' '), entities } as unknown as Request);
}
