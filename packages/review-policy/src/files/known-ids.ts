import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isSafeId } from '../ids.ts';
import type { FileOps } from './file-ops.ts';

/**
 * Which ids evidence may name: sources whose content still has their digest and evidence records, for pages claims, too. The check of a
 * source is repeated only when its file changed.
 */
export function createKnownIds(
  files: FileOps,
  root: string,
): (ids: readonly string[], kind: string) => readonly string[] {
  const verified = new Map<string, { readonly stamp: string; readonly isWhole: boolean }>();
  const isSource = (id: string): boolean => {
    const path = join(root, 'sources', id, 'content');
    const stat = files.stat(path);
    if (stat?.kind !== 'file') return false;
    const stamp = `${stat.ino}/${stat.size}/${stat.mtimeMs}`;
    const known = verified.get(id);
    if (known?.stamp === stamp) return known.isWhole;
    const bytes = files.read(path);
    const isWhole = bytes !== null && createHash('sha256').update(bytes).digest('hex') === id;
    verified.set(id, { stamp, isWhole });
    return isWhole;
  };
  const isFile = (path: string): boolean => files.stat(join(root, path))?.kind === 'file';
  const isKnown = (id: string, kind: string): boolean =>
    isSource(id) || isFile(`evidence/${id}.yaml`) || (kind === 'page' && isFile(`claims/${id}.yaml`));
  return (ids, kind) => ids.filter((id) => isSafeId(id) && isKnown(id, kind));
}
