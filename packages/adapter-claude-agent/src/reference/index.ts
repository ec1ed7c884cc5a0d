export { argumentText, byCodePoint, mutationIdentifiers, serialize } from './texts.ts';
