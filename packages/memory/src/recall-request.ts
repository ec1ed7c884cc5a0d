import { fault } from './errors.ts';
import type { RecallRequest } from './retrieve.ts';
import { optional, paths, texts } from './write-request.ts';

const FIELDS: ReadonlySet<string> = new Set([
  'query',
  'limit',
  'budgetTokens',
  'minScore',
  'session',
  'entities',
  'directories',
  'externalContext',
  'explain',
  'signal',
  'isolate',
  'consolidated',
  'ownSession',
  'ownDirectories',
] satisfies readonly (keyof RecallRequest)[]);

/**
 * A request with its lists as they are compared. What is not known is refused: a filter that is misspelt would let
 * everything through. @throws MEMORY_INVALID_ARGUMENT
 */
export function checkRecall(request: RecallRequest): RecallRequest {
  if (typeof request !== 'object' || request === null) throw invalid('request', 'a request is an object');
  for (const name of Object.keys(request)) if (!FIELDS.has(name)) throw invalid(name, 'a request has an unknown field');
  if (typeof request.query !== 'string') throw invalid('query', 'query is a text');
  optional('session', request.session);
  return {
    ...request,
    ...(request.entities === undefined ? {} : { entities: texts('entities', request.entities) }),
    ...(request.directories === undefined ? {} : { directories: paths('directories', request.directories) }),
  };
}

function invalid(field: string, message: string): Error {
  return fault('MEMORY_INVALID_ARGUMENT', message, { field });
}
