import { expect, test } from 'vitest';
import { matchesPattern } from './patterns.ts';
import { type AccessRequest, decideAccess, type MemoryPermissions } from './permissions.ts';

const permissions: MemoryPermissions = {
  defaultPolicy: 'deny',
  protectedPrefixes: ['vault/keys'],
  agents: {
    a: {
      canWrite: ['memory/working/', 'memory/org/*/open', 'vault/'],
      cannotWrite: ['memory/working/secret/'],
      canRead: ['memory/'],
      canDelete: ['memory/org/'],
    },
  },
};
const ask = (action: AccessRequest['action'], key: string, more: Partial<AccessRequest> = {}): string => {
  const verdict = decideAccess(permissions, { action, key, actor: { type: 'agent', key: 'a' }, record: null, ...more });
  return `${verdict.allowed} ${verdict.reasons[0]?.code} ${verdict.rule}`;
};

test.each([
  ['memory/working/', 'memory/working/x', true],
  ['memory/working/', 'memory/working/x/y', true],
  ['memory/working/', 'memory/working', false],
  ['memory/working/', 'memory/workingX', false],
  ['memory/working', 'memory/working', true],
  ['memory/working', 'memory/workingX', false],
  ['memory/*', 'memory/x', true],
  ['memory/*', 'memory/x/y', false],
  ['memory/*/', 'memory/x/y/z', true],
  ['memory/a*b*c', 'memory/aXbYc', true],
  ['memory/a*b*c', 'memory/ac', false],
  ['memory/a*a', 'memory/a', false],
  ['*', 'x', true],
  ['*', 'x/y', false],
  ['memory/[w]x', 'memory/wx', false],
])('%s on %s is %s', (pattern, key, matches) => {
  expect(matchesPattern(pattern, key)).toBe(matches);
});

test('a pattern of many stars is answered at once', () => {
  expect(matchesPattern('*a'.repeat(2000), 'a'.repeat(1999))).toBe(false);
});

test('cannot_write goes before can_write, the human zone before both', () => {
  expect(ask('write', 'memory/working/x')).toBe('true memory.granted memory/working/');
  expect(ask('write', 'memory/working/secret/x')).toBe('false memory.explicit-deny memory/working/secret/');
  expect(ask('write', 'vault/x')).toBe('true memory.granted vault/');
  expect(ask('write', 'vault/keys/x')).toBe('false memory.human-zone vault/keys');
  expect(ask('write', 'skills')).toBe('false memory.human-zone skills');
  expect(ask('write', 'memory/org/team/open')).toBe('true memory.granted memory/org/*/open');
  expect(ask('write', 'memory/org/team/shut')).toBe('false memory.no-permission null');
});

test('reading needs can_read', () => {
  expect(ask('read', 'memory/org/x')).toBe('true memory.granted memory/');
  expect(ask('read', 'skills/x')).toBe('false memory.no-permission null');
  expect(ask('read', 'memory/x', { actor: { type: 'agent', key: 'stranger' } })).toBe(
    'false memory.no-permission null',
  );
});

test("another's record is deleted under can_delete only, a person's by people only", () => {
  const of = (agent: string, origin: 'agent-inferred' | 'human-approved' = 'agent-inferred') => ({
    record: { agent, origin },
  });
  expect(ask('delete', 'memory/working/x', of('a'))).toMatch(/^true/);
  expect(ask('delete', 'memory/working/x', of('b'))).toBe('false memory.not-own null');
  expect(ask('delete', 'memory/org/x', of('b'))).toBe('true memory.granted memory/org/');
  expect(ask('delete', 'memory/working/x', of('a', 'human-approved'))).toBe('false memory.human-record null');
  expect(
    ask('delete', 'memory/working/x', { ...of('b', 'human-approved'), actor: { type: 'human', key: 'h' } }),
  ).toMatch(/^true/);
});

test('without permissions a handle reaches its own records under memory/ and nothing else', () => {
  const own = (action: AccessRequest['action'], key: string, agent: string | null) =>
    decideAccess(null, {
      action,
      key,
      actor: { type: 'agent', key: 'a' },
      record: agent === null ? null : { agent, origin: 'agent-inferred' },
    });
  for (const action of ['read', 'write', 'delete'] as const) {
    expect(own(action, 'memory/x', 'a').allowed).toBe(true);
    expect(own(action, 'memory/x', 'b').allowed).toBe(false);
    expect(own(action, 'notes/x', null).allowed).toBe(false);
    expect(own(action, 'memory', null).allowed).toBe(false);
  }
  expect(own('read', 'memory/x', 'a').permissions).toBeNull();
});

test('every verdict names the permissions it was made under', () => {
  const verdict = decideAccess(permissions, {
    action: 'read',
    key: 'memory/x',
    actor: { type: 'agent', key: 'a' },
    record: null,
  });
  expect(verdict.permissions).toMatch(/^sha256:/);
});

test('an agent called like a property of objects has no entry', () => {
  expect(ask('write', 'memory/working/x', { actor: { type: 'agent', key: '__proto__' } })).toMatch(/^false/);
  expect(ask('write', 'memory/working/x', { actor: { type: 'agent', key: 'constructor' } })).toMatch(/^false/);
});
