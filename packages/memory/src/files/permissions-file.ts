import {
  type DocumentFault,
  faultAt,
  type ParsedDocument,
  parseDocument,
  type RawDocument,
} from '@warrant/core/documents';
import * as z from 'zod';
import { ALWAYS_PROTECTED, checkKey } from '../keys.ts';
import type { AgentPermissions, MemoryPermissions } from '../permissions.ts';

const patterns = z.array(z.string()).optional();
const agentSchema = z.strictObject({
  can_write: patterns,
  cannot_write: patterns,
  can_read: patterns,
  can_delete: patterns,
});
/** The reference's keys, and `can_delete`. */
const permissionsSchema = z.strictObject({
  default_policy: z.enum(['deny', 'allow']).optional(),
  human_zone_prefixes: z.array(z.string()).optional(),
  agents: z.record(z.string().min(1), agentSchema).optional(),
});
type Document = z.output<typeof permissionsSchema>;

export type PermissionsFile =
  | { readonly type: 'ok'; readonly permissions: MemoryPermissions; readonly warnings: readonly DocumentFault[] }
  | { readonly type: 'faulty'; readonly faults: readonly DocumentFault[] };

/**
 * Reads a permission file (YAML or JSON) with the keys `default_policy`, `human_zone_prefixes` and `agents` with
 * `can_write`, `cannot_write`, `can_read`, `can_delete`. Everything unknown, empty or not canonical is a fault with its
 * line; patterns that can never match are warnings.
 */
export function parsePermissions(source: {
  readonly file: string;
  readonly text: string | Uint8Array;
}): PermissionsFile {
  const parsed: ParsedDocument<Document> = parseDocument(source, permissionsSchema, { maxBytes: 1024 * 1024 });
  if (parsed.type === 'faulty') return parsed;
  const { value, document } = parsed;
  const faults = [...prefixFaults(value, document), ...patternFaults(value, document)].sort(
    (a, b) => a.line - b.line || a.column - b.column,
  );
  if (faults.length > 0) return { type: 'faulty', faults };
  return { type: 'ok', permissions: translate(value), warnings: warningsOf(value, document) };
}

function translate(value: Document): MemoryPermissions {
  const agents = Object.entries(value.agents ?? {}).map(([key, agent]): readonly [string, AgentPermissions] => [
    key,
    {
      canWrite: agent.can_write ?? [],
      cannotWrite: agent.cannot_write ?? [],
      canRead: agent.can_read ?? [],
      canDelete: agent.can_delete ?? [],
    },
  ]);
  return {
    defaultPolicy: value.default_policy ?? 'deny',
    protectedPrefixes: (value.human_zone_prefixes ?? []).map(withoutSlash),
    agents: Object.fromEntries(agents),
  };
}

function prefixFaults(value: Document, document: RawDocument): readonly DocumentFault[] {
  return (value.human_zone_prefixes ?? []).flatMap((prefix, index) => {
    const plain = withoutSlash(prefix);
    const canonical =
      checkKey(plain).type === 'canonical' && plain.split('/').every((part) => /^[a-z0-9_-]+$/.test(part));
    if (canonical) return [];
    return [
      faultAt(document, ['human_zone_prefixes', index], {
        code: 'prefix-not-canonical',
        message: 'a protected prefix is made of segments of lower-case letters, digits, _ and -',
        expected: 'for example skills/',
      }),
    ];
  });
}

const LISTS = ['can_write', 'cannot_write', 'can_read', 'can_delete'] as const;

function* patternsOf(
  value: Document,
): Generator<{ readonly path: readonly (string | number)[]; readonly pattern: string }> {
  for (const [agent, entry] of Object.entries(value.agents ?? {}))
    for (const list of LISTS)
      for (const [index, pattern] of (entry[list] ?? []).entries())
        yield { path: ['agents', agent, list, index], pattern };
}

function patternFaults(value: Document, document: RawDocument): readonly DocumentFault[] {
  return [...patternsOf(value)].flatMap(({ path, pattern }) => {
    const plain = withoutSlash(pattern).replaceAll('*', 'x');
    const check = checkKey(plain);
    if (check.type === 'canonical') return [];
    return [
      faultAt(document, path, {
        code: 'pattern-not-canonical',
        message: `the pattern can match no key: ${check.reasons[0]?.message ?? ''}`,
        expected: 'a key, a subtree ending in /, or * within a segment',
      }),
    ];
  });
}

function warningsOf(value: Document, document: RawDocument): readonly DocumentFault[] {
  const prefixes = [...ALWAYS_PROTECTED, ...(value.human_zone_prefixes ?? []).map(withoutSlash)];
  return [...patternsOf(value)].flatMap(({ path, pattern }) => {
    const zone = prefixes.find((prefix) => pattern === prefix || pattern.startsWith(`${prefix}/`));
    if (path[2] === 'can_read' || path[2] === 'cannot_write' || zone === undefined)
      return /[?[\]]/.test(pattern)
        ? [faultAt(document, path, { code: 'plain-sign', message: '? and [ stand for themselves' })]
        : [];
    return [faultAt(document, path, { code: 'never-granted', message: `only people write under ${zone}/` })];
  });
}

function withoutSlash(pattern: string): string {
  return pattern.endsWith('/') ? pattern.slice(0, -1) : pattern;
}
