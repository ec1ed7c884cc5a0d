export { ajvSchemas } from './ajv.ts';
export { jsonEventTypes } from './event-types.ts';
