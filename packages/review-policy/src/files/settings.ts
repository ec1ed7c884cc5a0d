import { join } from 'node:path';
import { isMapping, member } from '../faults.ts';
import type { ReviewSettings } from '../gate-types.ts';
import type { ParseOptions } from '../parse-policy.ts';
import { type ReviewConfig, readConfig } from '../yaml/config.ts';
import { parseYaml } from '../yaml/document.ts';
import { createFileOps, type FileOps } from './file-ops.ts';

type SettingsOptions = ParseOptions & { readonly files?: FileOps };

const UNREADABLE: ReviewSettings = { policy: { type: 'invalid', faults: [{ code: 'policy_syntax', path: '' }] } };

/** The settings in a knowledge base's `config.yaml`, read anew when the file changed. A file that cannot be read approves nothing. */
export function createFolderSettings(root: string, options: SettingsOptions = {}): () => ReviewSettings {
  return watched(join(root, 'config.yaml'), { policy: { type: 'none' } }, options);
}

/** The settings in a file that must be there, in the form of a `config.yaml`. Missing, like unreadable, approves nothing. */
export function createFileSettings(path: string, options: SettingsOptions = {}): () => ReviewSettings {
  return watched(path, UNREADABLE, options);
}

function watched(path: string, missing: ReviewSettings, options: SettingsOptions): () => ReviewSettings {
  const files = options.files ?? createFileOps();
  let stamp = '';
  let settings = missing;
  return () => {
    const stat = files.stat(path);
    const now = stat === null ? 'none' : `${stat.ino}/${stat.size}/${stat.mtimeMs}`;
    if (now !== stamp) {
      const bytes = stat === null ? null : files.read(path);
      settings = bytes === null ? missing : toSettings(readConfig(bytes.toString('utf8'), options));
      stamp = now;
    }
    return settings;
  };
}

function toSettings(config: ReviewConfig): ReviewSettings {
  if (config.type === 'refused') return UNREADABLE;
  const { review } = config;
  const role = member(review, 'approver_role');
  const days = member(review, 'expire_pending_after_days');
  return {
    policy: config.policy,
    ...(typeof role === 'string' && { approverRole: role }),
    autoApproveOnReceipt: member(review, 'auto_approve_on_receipt') === true,
    ...(typeof days === 'number' && { expirePendingAfterDays: days }),
    protectedPageTypes: protectedTypes(member(config.config, 'page_kinds')),
  };
}

function protectedTypes(kinds: unknown): readonly string[] {
  if (!isMapping(kinds)) return [];
  return Object.entries(kinds).flatMap(([name, kind]) => (isMapping(kind) && kind['protected'] === true ? [name] : []));
}

const kbIds = new WeakMap<FileOps, Map<string, { readonly stamp: string; readonly id: string | null }>>();

/** The knowledge base's own id, which every audit event carries; `null` when it has none. */
export function readKbId(files: FileOps, root: string): string | null {
  const path = join(root, 'config.yaml');
  const stat = files.stat(path);
  if (stat === null) return null;
  const stamp = `${stat.ino}/${stat.size}/${stat.mtimeMs}`;
  const cache = kbIds.get(files) ?? new Map<string, { readonly stamp: string; readonly id: string | null }>();
  kbIds.set(files, cache);
  const known = cache.get(root);
  if (known?.stamp === stamp) return known.id;
  const document = parseYaml(files.read(path)?.toString('utf8') ?? '');
  const kb = document.type === 'document' && isMapping(document.value) ? member(document.value, 'kb') : undefined;
  const found = isMapping(kb) ? member(kb, 'id') : undefined;
  const id = typeof found === 'string' ? found : null;
  cache.set(root, { stamp, id });
  return id;
}
