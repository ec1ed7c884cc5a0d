import type { DepthLevel, RelationType } from '@warrant/core';

/** Every relation, in the order in which documents and lists show them. */
export const RELATION_TYPES: readonly RelationType[] = [
  'requires',
  'depends-on',
  'constrained-by',
  'applies-to',
  'includes',
];

/** The relations that a closure follows and that must not form a cycle. */
export const TRANSITIVE_RELATIONS: readonly RelationType[] = ['requires', 'depends-on', 'constrained-by'];

/** True when understanding the source calls for understanding the target. */
export function isTransitive(relation: RelationType): boolean {
  return relation === 'requires' || relation === 'depends-on' || relation === 'constrained-by';
}

/** True for the five relations, spelled exactly. */
export function isRelationType(value: unknown): value is RelationType {
  return isTransitive(value as RelationType) || value === 'applies-to' || value === 'includes';
}

/** True for the integers 0 to 4; `NaN`, `-1`, `2.5` and `'2'` are none. */
export function isDepthLevel(value: unknown): value is DepthLevel {
  return value === 0 || value === 1 || value === 2 || value === 3 || value === 4;
}
