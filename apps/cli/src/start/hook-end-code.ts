/**
 * What a hook's process has to end with while it has not answered: 2, which refuses what waits for it, or 0 where it only
 * watches. Undefined for every other command.
 */
export function hookEndCode(words: readonly string[]): 0 | 2 | undefined {
  const at = words.indexOf('hook');
  if (at === -1 || words[at + 1] !== 'claude-code') return undefined;
  const named = words.lastIndexOf('--mode');
  const joined = words.filter((word) => word.startsWith('--mode=')).map((word) => word.slice('--mode='.length));
  const mode = named === -1 ? (joined[joined.length - 1] ?? 'observe') : words[named + 1];
  return mode === 'observe' ? 0 : 2;
}
