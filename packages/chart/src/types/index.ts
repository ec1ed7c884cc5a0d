export { eventTypes, typeSchema } from './event-types.ts';
