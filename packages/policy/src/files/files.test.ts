import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Labels } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deleteTool } from '../../test/support/kit.ts';
import { createSmallGrounder, FILES } from '../../test/support/small-grounder.ts';
import type { PolicySet } from '../policy-set.ts';
import { combinePolicies } from '../policy-set.ts';
import { compileCondition, createPolicyEnvironment } from './expression.ts';
import { effectiveLabels, namedPointers } from './labels.ts';
import { lintPolicies } from './lint.ts';
import { loadPolicies } from './load-policies.ts';
import { parsePolicies } from './parse-policies.ts';
import { policyDocument, policyTestDocument } from './schema.ts';
import { testPolicies } from './test-policies.ts';
import { truthOf } from './truth.ts';

/** A policy file with one policy on delete -> file per condition. */
function file(...policies: readonly { readonly [key: string]: unknown }[]): string {
  const entries = policies.map((policy, index) => ({
    key: `p${index}`,
    source: 'delete',
    target: 'file',
    sourceDepth: 3,
    ...policy,
  }));
  return JSON.stringify({ format: 'warrant.policy/1', policies: entries });
}

function parse(text: string): PolicySet {
  const parsed = parsePolicies({ file: 'policies.yaml', text });
  if (parsed.type !== 'ok') throw new Error(JSON.stringify(parsed.faults));
  return parsed.policies;
}

function faultsOf(text: string) {
  const parsed = parsePolicies({ file: 'p.yaml', text });
  return parsed.type === 'ok' ? [] : parsed.faults.map((fault) => [fault.line, fault.code]);
}

async function outcomeOf(policies: PolicySet, path: string, extra: object = {}) {
  const { tool } = deleteTool({ policies, ...extra });
  return (await tool(path)).type;
}

describe('a policy file', () => {
  it('blocks where its condition is true, and only there', async () => {
    const policies = parse(file({ blockWhen: "within(call.arguments.path, '/srv/protected')" }));
    for (const path of ['/srv/protected', '/srv/protected/a', '/srv/x/../protected/a', '//srv//protected/./a']) {
      expect([path, await outcomeOf(policies, path)]).toEqual([path, 'blocked']);
    }
    for (const path of ['/srv/protected-old', '/srv/protected/../other', '/srv']) {
      expect([path, await outcomeOf(policies, path)]).toEqual([path, 'executed']);
    }
    expect(await outcomeOf(policies, 'relative')).toBe('blocked');
  });

  it('asks where confirmWhen is true', async () => {
    const policies = parse(file({ confirmWhen: "call.arguments.path.endsWith('.key')", message: 'A key?' }));
    expect(await outcomeOf(policies, '/a.key', { onPolicy: () => false })).toBe('declined');
    expect(await outcomeOf(policies, '/a.key', { onPolicy: () => true })).toBe('executed');
    expect(await outcomeOf(policies, '/a.txt')).toBe('executed');
  });

  it.each([
    ['a missing argument', 'call.arguments.amount > 100'],
    ['a type that does not fit', 'call.arguments.path > 100'],
    ['a value that is no truth', 'call.arguments.path'],
    ['a classifier that is not there', "shell.class != 'read'"],
    ['a missing actor', "call.owner == 'me'"],
  ])('fires on %s', async (_what, blockWhen) => {
    const { tool } = deleteTool({ policies: parse(file({ blockWhen })) });
    expect(await tool('/a')).toMatchObject({
      type: 'blocked',
      verdict: { reasons: [{ code: 'policy.condition-error', data: { policy: 'p0', condition: blockWhen } }] },
    });
  });

  it('lets has() guard an optional argument', async () => {
    const policies = parse(file({ blockWhen: 'has(call.arguments.amount) && call.arguments.amount > 100' }));
    expect(await outcomeOf(policies, '/a')).toBe('executed');
  });

  it('reads what the call would do through shell', async () => {
    const policies = parse(
      file({ blockWhen: "shell.deletes.exists(p, within(p, '/srv'))" }, { confirmWhen: "shell.class != 'read'" }),
    );
    const effects = (deletes: readonly string[], kind: 'read' | 'write') => () => ({
      class: kind,
      reads: [],
      writes: [],
      deletes,
      unknownTargets: [],
      network: 'no' as const,
    });
    expect(await outcomeOf(policies, 'x', { effects: effects(['a&b', '/srv/data'], 'write') })).toBe('blocked');
    expect(await outcomeOf(policies, 'x', { effects: effects(['/tmp/a'], 'write'), onPolicy: () => false })).toBe(
      'declined',
    );
    expect(await outcomeOf(policies, 'x', { effects: effects([], 'read') })).toBe('executed');
  });

  it('reads grounding and edge', async () => {
    const policies = parse(
      file({ blockWhen: "edge.target == 'file' && 'delete' in grounding.resolved && edge.sourceDepth == 3" }),
    );
    expect(await outcomeOf(policies, '/a')).toBe('blocked');
  });

  it('names itself in every verdict by its content', async () => {
    const [a, b, c] = ['true', 'true', 'false'].map((blockWhen) => parse(file({ blockWhen })));
    expect(a?.digest()).toBe(b?.digest());
    expect(a?.digest()).not.toBe(c?.digest());
    const { tool } = deleteTool({ policies: a as PolicySet });
    expect(await tool('/a')).toMatchObject({ verdict: { inputs: { policy: a?.digest() } } });
  });

  it('stands beside policies in code, with keys of its own', () => {
    const set = parse(file({ blockWhen: 'true' }));
    expect(() => combinePolicies(set, set)).toThrow(expect.objectContaining({ code: 'POLICY_DUPLICATE_KEY' }));
  });

  it('tells each fault with its line', () => {
    const text = [
      'format: warrant.policy/1',
      'policies:',
      '  - key: a',
      '    source: delete',
      '    target: file',
      '    sourceDepth: 7',
      '    blockWhen: "true"',
      '  - key: b',
      '    source: delete',
      '    targt: file',
      '    sourceDepth: 3',
      '    blockWhen: "true"',
    ].join('\n');
    expect(faultsOf(text)).toEqual([
      [6, 'wrong-value'],
      [8, expect.any(String)],
      [10, 'unknown-key'],
    ]);
    const unknown = parsePolicies({ file: 'p.yaml', text });
    expect(unknown.type === 'faulty' && unknown.faults.at(-1)).toMatchObject({
      expected: expect.stringContaining('target'),
    });
  });

  it.each([
    ['two conditions', file({ blockWhen: 'true', confirmWhen: 'true' })],
    ['no condition', file({})],
    ['a condition that does not parse', file({ blockWhen: 'call.' })],
    ['a variable that is not declared', file({ blockWhen: 'process.env' })],
    ['a condition that can never be a truth', file({ blockWhen: '1 + 2' })],
    ['a regular expression that is none', file({ blockWhen: "call.tool.matches('(')" })],
    ['a session for a block', file({ blockWhen: 'true', sticky: 'session' })],
    ['one key twice', file({ key: 'a', blockWhen: 'true' }, { key: 'a', blockWhen: 'true' })],
    ['another format', '{"format": "warrant.policy/2", "policies": []}'],
    ['no document', ''],
    ['a list', '[]'],
    ['broken YAML', 'format: [warrant.policy/1'],
    ['a foreign tag', 'format: !!js/function "x"\npolicies: []'],
    [
      'a bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map((key, index) => `${key}: &${key} [${`*${'abcdefg'[index]},`.repeat(9)}]`)
        .join('\n')}`,
    ],
    ['a huge document', `format: warrant.policy/1\npolicies: []\n#${'x'.repeat(1024 * 1024)}`],
    ['a lone surrogate', '{"format": "warrant.policy/1", "policies": [], "description": "\uD800"}'],
  ])('is refused with %s', (_what, text) => {
    expect(faultsOf(text).length).toBeGreaterThan(0);
  });

  it('takes a regular expression in linear time', async () => {
    const policies = parse(file({ blockWhen: "call.arguments.path.matches('^(a+)+$')" }));
    expect(await outcomeOf(policies, `${'a'.repeat(50_000)}!`)).toBe('executed');
  });

  it('is read from disk, and refused with its faults', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'policy-'));
    const path = join(directory, 'p.yaml');
    await writeFile(path, file({ blockWhen: 'true' }));
    expect((await loadPolicies(path)).placements[0]?.origin).toMatchObject({ type: 'file', file: path, line: 1 });
    await writeFile(path, file({ blockWhen: '(' }));
    await expect(loadPolicies(path)).rejects.toMatchObject({
      code: 'POLICY_FILE_INVALID',
      data: { faults: [{ line: 1 }] },
    });
    await expect(loadPolicies(join(directory, 'none.yaml'))).rejects.toMatchObject({ code: 'POLICY_FILE_UNREADABLE' });
    await expect(loadPolicies(directory)).rejects.toMatchObject({ code: 'POLICY_FILE_UNREADABLE' });
  });

  it.each([
    ['policy', policyDocument],
    ['policy-test', policyTestDocument],
  ])('has its schema published as it is: %s', (name, schema) => {
    const published: unknown = JSON.parse(
      readFileSync(new URL(`../../schema/${name}.schema.json`, import.meta.url), 'utf8'),
    );
    expect(published).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))));
  });
});

describe('members named __proto__', () => {
  it('of a metadata, and of the arguments of an example, are there as any other', async () => {
    const policies = parse(
      `format: warrant.policy/1
policies:
  - { key: own, source: delete, target: file, sourceDepth: 3, blockWhen: "'__proto__' in call.arguments", metadata: { __proto__: 1 } }
`,
    );
    expect(Object.entries(policies.placements[0]?.metadata ?? {})).toEqual([['__proto__', 1]]);
    const report = await testPolicies(
      policies,
      {
        file: 't.yaml',
        text: `format: warrant.policy-test/1
examples:
  - { name: there, call: { arguments: { __proto__: { a: 1 } } }, concepts: [delete, file], expect: block }
  - { name: not there, call: { arguments: { a: 1 } }, concepts: [delete, file], expect: allow }
`,
      },
      { dormant: 'report' },
    );
    expect(report).toMatchObject({ type: 'ran', passed: 2, failed: 0 });
  });

  it.each([
    ['a list', '[1]', /expected a map/],
    ['what JSON does not have', '{ x: [.nan] }', /\/x\/0/],
  ])('do not let %s pass for them', async (_, metadata, message) => {
    const text = `format: warrant.policy/1\npolicies:\n  - { key: a, source: b, target: c, sourceDepth: 1, blockWhen: 'true', metadata: ${metadata} }\n`;
    const parsed = parsePolicies({ file: 'p.yaml', text });
    expect(parsed).toMatchObject({ type: 'faulty', faults: [{ line: 3 }] });
    expect(JSON.stringify(parsed)).toMatch(message);
  });
});

describe('a member that nothing has', () => {
  it.each([
    [
      'call.argments.path == 1 || call.argments.size == 2',
      ["'call.argments', which is never there; did you mean 'call.arguments'?"],
    ],
    ['edge.level == 3', ["'edge.level', which is never there"]],
    ["shell.writing.exists(path, path == '/')", ["'shell.writing', which is never there"]],
    ['call.arguments.argments == 1 && shell.writes.exists(w, w == call.directory)', []],
    ["call.labels['/to'].trust == 'web' && grounding.grounded && edge.sourceDepth == 3", []],
    ["has(call.actor) && call.tool == 'rm' && call.id != ''", []],
    ['size(call) > 3', []],
    ["call['argments'].path == 1", ["'call.argments', which is never there; did you mean 'call.arguments'?"]],
    [
      "call['argments'] == 1 || call.argments == 2",
      ["'call.argments', which is never there; did you mean 'call.arguments'?"],
    ],
    [
      "has(edge.level) || 'levle' in edge",
      ["'edge.level', which is never there", "'edge.levle', which is never there"],
    ],
    ["shell.writes.exists(w, w == call['tol'])", ["'call.tol', which is never there; did you mean 'call.tool'?"]],
    ['cel.bind(c, call, c.argments == 1)', ["'call.argments', which is never there; did you mean 'call.arguments'?"]],
    ["call['to ol'] == 1", ["'call[\"to ol\"]', which is never there; did you mean 'call.tool'?"]],
    ["call['arguments']['argments'] == 1 && call[call.tool] == 1 && 'actor' in call", []],
  ])('is told: %s', async (condition, told) => {
    const found = await lintPolicies(parse(file({ blockWhen: condition })));
    expect(found.map(({ message }) => message)).toEqual(told.map((one) => `its condition reads ${one}`));
    expect(found.every(({ code }) => code === 'unknown-member')).toBe(true);
  });
});

describe('labels', () => {
  const labels: Labels = {
    '/to': { trust: 'human', sources: ['chat'] },
    '/to/1': { trust: 'web', sources: ['page'] },
    '/body': { trust: 'agent', sources: [] },
  };
  const args = { to: ['a', 'b'], body: { text: 'x', 'a/b': 1 }, free: 1 };
  const trust = (pointer: string) => effectiveLabels(args, labels, [pointer])[pointer]?.trust;

  it('are inherited, are worth no more than what lies inside, and are web where there are none', () => {
    expect(['/to', '/to/0', '/to/1', '/body/text', '/body/a~1b', '/free', '/nowhere', ''].map(trust)).toEqual([
      'web',
      'human',
      'web',
      'agent',
      'agent',
      'web',
      'web',
      'web',
    ]);
  });

  it('can be asked in a condition, also where they are missing', async () => {
    const policies = parse(file({ blockWhen: "call.labels['/path'].trust == 'web'" }));
    expect(await outcomeOf(policies, '/a')).toBe('blocked');
    const { tool } = deleteTool({ policies });
    expect(await tool.run(['/a'], { labels: { '/path': { trust: 'human', sources: [] } } })).toMatchObject({
      type: 'executed',
    });
    expect(await tool.run(['/a'], { labels: { '/path': { trust: 'nonsense' as never, sources: [] } } })).toMatchObject({
      type: 'blocked',
    });
    const cautious = parse(file({ confirmWhen: "call.labels['/absent'].trust != 'web'" }));
    expect(await outcomeOf(cautious, '/a')).toBe('executed');
  });

  it.each([
    [`call.labels['/a'].trust == 'web' || call.labels[ "/b c" ].trust == 'web'`, ['/a', '/b c']],
    [`call['labels']['/a'].trust == 'web' && '/c' in call.labels`, ['/a', '/c']],
    [`cel.bind(l, call.labels, l[r'/a'].trust == 'web') || call.arguments.labels['/z'] == 1`, ['/a']],
  ])('are found by the literals of %s', (source, pointers) => {
    expect(namedPointers(createPolicyEnvironment().compileCondition(source).paths())).toEqual(pointers);
  });

  it('are there for a condition in each of its forms', () => {
    const call = { id: '1', tool: 't', arguments: {}, labels: {} };
    const context = { call, grounding: { grounded: true, resolved: [] }, edge: {}, effects: null } as never;
    for (const written of [`call['labels']['/a']`, `call.labels['/a']`, `cel.bind(l, call.labels, l['/a'])`]) {
      const compiled = compileCondition(createPolicyEnvironment(), `${written}.trust == 'web'`);
      expect(compiled.evaluate(context)).toBe(true);
    }
  });
});

describe('lint', () => {
  const environment = createPolicyEnvironment();

  it.each([
    ['true', 'always'],
    ['1 == 2', 'never'],
    ['!(1 == 2)', 'always'],
    ["call.tool == 'a' && false", 'never'],
    ["call.tool == 'a' || true", 'always'],
    ["call.tool == 'a' && call.tool == 'b'", 'never'],
    ["call.tool == 'a' && call.tool != 'a'", 'never'],
    ["call.tool == 'a' || call.tool != 'a'", 'always'],
    ['call.arguments.n > 10 && call.arguments.n < 5', 'never'],
    ['call.arguments.n >= 5 && call.arguments.n <= 5', 'unknown'],
    ['call.arguments.n > 5 || call.arguments.n <= 5', 'always'],
    ['call.arguments.n > 5 || call.arguments.n < 5', 'unknown'],
    ["(call.tool == 'a') || (call.tool == 'b')", 'unknown'],
    ["call.tool == 'a || true'", 'unknown'],
    ["call.tool == 'x' ? true : false", 'unknown'],
    ["call.tool != 'a' && call.tool != 'b'", 'unknown'],
    ["call.tool != 'a' || call.tool != 'b'", 'always'],
    ["call.arguments.tags.exists(t, t == 'a' && t == 'b')", 'unknown'],
    ['false || false', 'never'],
    ['true && true', 'always'],
  ])('tells what can be told of %s', (source, truth) => {
    expect(truthOf(environment, source)).toBe(truth);
  });

  it('is never contradicted by what a condition gives', () => {
    const comparison = fc
      .record({
        path: fc.constantFrom('a', 'b'),
        operator: fc.constantFrom('==', '!=', '<', '<=', '>', '>='),
        literal: fc.integer({ min: 0, max: 3 }),
      })
      .map(({ path, operator, literal }) => `call.arguments.${path} ${operator} ${literal}`);
    const atom = fc.oneof({ weight: 4, arbitrary: comparison }, fc.constantFrom('true', 'false'));
    const tree = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        atom,
        fc
          .tuple(tie('node'), fc.constantFrom('&&', '||'), tie('node'))
          .map(([left, operator, right]) => `${left} ${operator} ${right}`),
        tie('node').map((inner) => `(${inner})`),
        tie('node').map((inner) => `!(${inner})`),
      ),
    })).node;
    fc.assert(
      fc.property(
        tree,
        fc.double({ min: -1, max: 5, noNaN: true }),
        fc.integer({ min: -1, max: 5 }),
        (source, a, b) => {
          const truth = truthOf(environment, source);
          if (truth === 'unknown') return;
          const call = { arguments: { a, b } };
          expect(environment.compileCondition(source).evaluate({ call })).toBe(truth === 'always');
        },
      ),
      { numRuns: 2000, seed: 3 },
    );
  });

  it('finds what cannot do what it seems to', async () => {
    const policies = parse(
      file(
        { key: 'wall', blockWhen: 'true' },
        { key: 'behind', blockWhen: "call.tool == 'x'" },
        { key: 'never', confirmWhen: 'false' },
        { key: 'lost', source: 'nothing', blockWhen: "call.tool == 'y'" },
        { key: 'dirs', target: 'directory', blockWhen: "call.tool == 'z'" },
        { key: 'twin', target: 'directory', blockWhen: "call.tool == 'z'" },
        { key: 'asks', target: 'directory', confirmWhen: "call.tool == 'w'" },
        { key: 'harder', target: 'directory', blockWhen: "call.tool == 'w'" },
      ),
    );
    const graph = createSmallGrounder(FILES);
    const found = await lintPolicies(policies, { graph, tools: [{ name: 't', concepts: ['Delete', 'FILE'] }] });
    expect(found.map(({ code, key }) => [code, key])).toEqual([
      ['unknown-edge', 'lost'],
      ['always-true', 'wall'],
      ['never-true', 'never'],
      ['shadowed', 'behind'],
      ['shadowed', 'never'],
      ['shadowed', 'twin'],
      ['shadowed', 'asks'],
      ['unused-key', 'lost'],
      ['unused-key', 'dirs'],
      ['unused-key', 'twin'],
      ['unused-key', 'asks'],
      ['unused-key', 'harder'],
    ]);
    expect(found.every((entry) => entry.file === 'policies.yaml' && entry.line === 1)).toBe(true);
  });

  it('does not call a policy shadowed by one for other calls', async () => {
    const policies = parse(
      file(
        { key: 'many', blockWhen: 'true', triggerCardinality: 'multiple' },
        { key: 'one', blockWhen: "call.tool == 'x'", triggerCardinality: 'single' },
        { key: 'all', blockWhen: "call.tool == 'y'" },
      ),
    );
    expect((await lintPolicies(policies)).map(({ code, key }) => [code, key])).toEqual([['always-true', 'many']]);
  });
});

describe('policy test', () => {
  const policies = parse(
    file(
      { key: 'protected', blockWhen: "within(call.arguments.path, '/srv')" },
      { key: 'keys', confirmWhen: "call.arguments.path.endsWith('.key')" },
      { key: 'dirs', target: 'directory', blockWhen: 'true' },
    ),
  );
  const tests = [
    'format: warrant.policy-test/1',
    'examples:',
    '  - name: below /srv is refused',
    '    call: { tool: delete_file, arguments: { path: /srv/a } }',
    '    concepts: [delete, file, directory]',
    '    expect: block',
    '    fired: [protected, dirs]',
    '  - name: a key is asked about',
    '    call: { arguments: { path: /home/a.key } }',
    '    concepts: [delete, file]',
    '    expect: confirm',
  ].join('\n');

  it('runs examples and lists what none of them met', async () => {
    const report = await testPolicies(policies, { file: 't.yaml', text: tests }, { dormant: 'report' });
    expect(report).toMatchObject({ type: 'ran', passed: 2, failed: 0, neverExercised: [], neverFired: [] });
    const second = tests
      .split('\n')
      .filter((_, index) => index < 2 || index > 6)
      .join('\n');
    expect(await testPolicies(policies, { file: 't.yaml', text: second }, { dormant: 'report' })).toMatchObject({
      passed: 1,
      neverExercised: ['dirs'],
      neverFired: ['protected'],
    });
  });

  it('says where and why an example fails', async () => {
    const wrong = tests
      .replace('expect: confirm', 'expect: allow')
      .replace('fired: [protected, dirs]', 'fired: [protected]');
    const report = await testPolicies(policies, { file: 't.yaml', text: wrong }, { dormant: 'report' });
    expect(report.type === 'ran' && report.results.map(({ line, passed, problem }) => [line, passed, problem])).toEqual(
      [
        [3, false, 'expected [protected] to fire, got [dirs, protected]'],
        [8, false, "expected allow, got confirm by 'keys': This action requires confirmation. Proceed?"],
      ],
    );
  });

  it('grounds on the graph when there is one', async () => {
    const report = await testPolicies(
      policies,
      { file: 't.yaml', text: tests.replaceAll('[delete, file]', '[delete, mystery]') },
      {
        grounder: createSmallGrounder(FILES),
        dormant: 'report',
      },
    );
    expect(report.type === 'ran' && report.results.map((result) => result.actual)).toEqual(['block', 'ungrounded']);
  });

  it('refuses a document with faults', async () => {
    const text = tests.replace('expect: block', 'expects: block');
    expect(await testPolicies(policies, { file: 't.yaml', text })).toMatchObject({
      type: 'faulty',
      faults: [{ line: 3 }, { line: 6, code: 'unknown-key' }],
    });
  });
});
