export { ground } from './ground.ts';
export type { GroundQuery } from './query.ts';
export { viewOf } from './view-of.ts';
