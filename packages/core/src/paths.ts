import { WarrantError } from './error.ts';

/** A part that is empty, `.` or `..`; the root alone has an empty part and is normal. */
const UNNORMAL = /\/(?:\.{0,2})(?:\/|$)/;

/**
 * An absolute POSIX path without `.`, `..`, doubled or trailing slashes, by its text alone: links are not followed.
 * `..` above the root stays at the root, as POSIX says.
 * @throws PATH_NOT_ABSOLUTE for a relative or empty path and for one that holds a NUL.
 */
export function normalizePath(path: string): string {
  if (!path.startsWith('/') || path.includes('\0')) {
    throw new WarrantError('PATH_NOT_ABSOLUTE', 'the path is not an absolute path', { data: { length: path.length } });
  }
  if (!UNNORMAL.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/**
 * True when the path is the root or lies below it, both normalised first.
 * @throws PATH_NOT_ABSOLUTE
 */
export function isWithin(path: string, root: string): boolean {
  const inner = normalizePath(path);
  const outer = normalizePath(root);
  return outer === '/' || inner === outer || inner.startsWith(`${outer}/`);
}
