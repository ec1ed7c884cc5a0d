import { keyWords } from '../lifecycle/cluster.ts';

const REQUEST_TYPES: readonly (readonly [type: string, pieces: readonly string[]])[] = [
  ['code_review', ['review', 'pr']],
  ['debugging', ['debug', 'bug', 'fix', 'error']],
  ['code_generation', ['add', 'implement', 'create', 'write', 'generate', 'build']],
  ['documentation', ['doc', 'explain', 'readme']],
  ['planning', ['plan', 'roadmap', 'design']],
];

/** What a request is about, as the reference guesses: by pieces of words, so that "express" is a review. */
export function referenceRequestType(text: string): string {
  const plain = text.toLowerCase();
  return REQUEST_TYPES.find(([, pieces]) => pieces.some((piece) => plain.includes(piece)))?.[0] ?? 'general';
}

/** The name of the last working folder; `null` when there is none. Two folders of one name are one to the reference. */
export function referenceRepository(directories: readonly (string | null)[]): string | null {
  const last = directories.at(-1) ?? '';
  const name = last
    .split('/')
    .filter((part) => part !== '')
    .at(-1);
  return name ?? null;
}

/** Words by which the reference joins records, and those by which it thinks of a skill: there a slash is part of a word. */
export function referenceWords(text: string): {
  readonly consolidation: readonly string[];
  readonly skill: readonly string[];
} {
  const skill = text.split('/').length === 1 ? keyWords(text) : slashed(text);
  return { consolidation: [...keyWords(text)].sort(), skill: [...skill].sort() };
}

function slashed(text: string): ReadonlySet<string> {
  // A letter that stands in no text keeps the slash within its word.
  return new Set([...keyWords(text.replaceAll('/', '\uE000'))].map((word) => word.replaceAll('\uE000', '/')));
}
