export { referenceEntities, referenceLookup } from './entities.ts';
export { referenceRepository, referenceRequestType, referenceWords } from './helpers.ts';
export type { ReferenceCall, ReferenceRecall, ReferenceScored } from './recall.ts';
export { referenceRecall } from './recall.ts';
export { referenceRetrieve } from './retrieve.ts';
export type { ReferenceSettings, ReferenceWeights } from './settings.ts';
export { REFERENCE_PROFILES } from './settings.ts';
export { referenceText, referenceTokens } from './text.ts';
