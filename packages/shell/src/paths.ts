/** The directories that a relative path may belong to; null where nobody knows. */
export type Directories = readonly string[] | null;

/** More candidates than this count as not known. */
const MAX_DIRECTORIES = 8;
const SPECIAL = /^(?:-|\/dev\/(?:null|zero|stdin|stdout|stderr|tty|u?random|fd\/\d+))$/;

/** True for a path that stands for a stream or a device without content: touching it is no effect. */
export function isSpecial(path: string): boolean {
  return SPECIAL.test(path);
}

/** The absolute forms of a path, normalised by its text; none where they cannot be known. */
export function resolvePath(
  path: string,
  tilde: 'yes' | 'no' | 'maybe',
  directories: Directories,
  home: string | undefined,
): readonly string[] {
  if (path === '' || path.includes('\0')) return [];
  if (path.startsWith('/')) return [normalize(path)];
  if (tilde !== 'no' && path.startsWith('~')) {
    if (tilde === 'maybe' || home === undefined || !/^~(?:\/|$)/.test(path)) return [];
    return [normalize(`${home}/${path.slice(2)}`)];
  }
  return directories === null ? [] : unique(directories.map((directory) => normalize(`${directory}/${path}`)));
}

/** Both sets of candidates; null if either is not known or there are too many. */
export function unite(a: Directories, b: Directories): Directories {
  if (a === b) return a;
  if (a === null || b === null) return null;
  const all = unique([...a, ...b]);
  return all.length > MAX_DIRECTORIES ? null : all;
}

function normalize(path: string): string {
  if (!/\/\/|\/\.|\/$/.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function unique(paths: readonly string[]): readonly string[] {
  return paths.length < 2 ? paths : [...new Set(paths)];
}
