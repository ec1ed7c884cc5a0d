const DIRECTORIES = new Set(['/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin']);

/** The base name of a program that a word starts; null for one that a path of its own names. */
export function programName(text: string): string | null {
  const slash = text.lastIndexOf('/');
  if (slash === -1) return text;
  return DIRECTORIES.has(text.slice(0, slash)) ? text.slice(slash + 1) : null;
}
