export { createBundlesFolder } from './bundles-folder.ts';
export type { OwnKey } from './own-key.ts';
export { createOwnKey, nextSequence, readOwnKey } from './own-key.ts';
export type { ParsedPins } from './pin-file.ts';
export { DEFAULT_MAX_PRIMITIVES, formatPin, PIN_FORMAT, parsePins, withPin } from './pin-file.ts';
export { createPeerStatesFile } from './states-file.ts';
