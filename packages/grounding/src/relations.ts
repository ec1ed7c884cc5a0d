import type { RelationType } from '@warrant/core';

/** Every relation, in the order in which people read them. */
export const RELATIONS: readonly RelationType[] = [
  'requires',
  'depends-on',
  'constrained-by',
  'applies-to',
  'includes',
];

/** True for the relations that pull their target into the closure. */
export function isTransitive(relation: RelationType): boolean {
  return relation === 'requires' || relation === 'depends-on' || relation === 'constrained-by';
}
