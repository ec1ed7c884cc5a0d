import { formatFault } from '@warrant/core/documents';
import { expect, test } from 'vitest';
import { loadPermissions } from './load-permissions.ts';
import { parsePermissions } from './permissions-file.ts';

const faultsOf = (text: string): readonly string[] => {
  const parsed = parsePermissions({ file: 'p.yaml', text });
  return parsed.type === 'ok'
    ? parsed.warnings.map((one) => `warning ${one.code} ${one.line}`)
    : parsed.faults.map((one) => `${one.code} ${formatFault(one)}`);
};

test('reads the reference keys and can_delete', () => {
  const text = `default_policy: deny
human_zone_prefixes: [skills/, vault]
agents:
  a:
    can_write: [memory/working/]
    can_delete: [memory/]
`;
  expect(parsePermissions({ file: 'p.yaml', text })).toMatchObject({
    type: 'ok',
    permissions: {
      defaultPolicy: 'deny',
      protectedPrefixes: ['skills', 'vault'],
      agents: { a: { canWrite: ['memory/working/'], cannotWrite: [], canRead: [], canDelete: ['memory/'] } },
    },
  });
});

test.each([
  ['default_policy: DENY', 'wrong-value p.yaml:1:17'],
  ['agents: {a: null}', 'wrong-type p.yaml:1:13'],
  ['agents:\n  a:\n    can_write: memory/', 'wrong-type p.yaml:3:16'],
  ['agents:\n  a:\n    can_writ: []', 'unknown-key p.yaml:3:5'],
  ['agents:\n  a:\n    can_write: [""]', 'pattern-not-canonical p.yaml:3:17'],
  ['agents:\n  a:\n    can_write: [../x/]', 'pattern-not-canonical p.yaml:3:17'],
  ['human_zone_prefixes: [""]', 'prefix-not-canonical p.yaml:1:23'],
  ['human_zone_prefixes: [Skills/]', 'prefix-not-canonical p.yaml:1:23'],
  ['agents:\n  a:\n    can_write: [skills/x]', 'warning never-granted 3'],
  ['agents:\n  a:\n    can_read: [memory/?x]', 'warning plain-sign 3'],
])('%j: %s', (text, expected) => {
  expect(faultsOf(text)[0]).toContain(expected);
});

test('a file that is not there gives no rights', () => {
  expect(() => loadPermissions('/nonexistent/permissions.yaml')).toThrow(
    expect.objectContaining({ code: 'MEMORY_INVALID_PERMISSIONS' }),
  );
});
