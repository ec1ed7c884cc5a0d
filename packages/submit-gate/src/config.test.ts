import { digest, isWarrantError } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { CODING, CODING_DIGEST } from './coding.ts';
import type { GateConfig } from './config-types.ts';
import { describeRules } from './describe-config.ts';
import { createGate } from './gate.ts';
import { Session } from './testing.ts';

const tools = { read: { kind: 'read', targets: ['/path'] } } as const;

describe('a surface', () => {
  it.each([
    ['./app.cfg', 'app.cfg', {}],
    ['/repo/app.cfg', 'app.cfg', {}],
    ['src/', '/repo/src', {}],
    ['App.cfg', 'app.CFG', { caseSensitive: false }],
  ] as const)('of %s is met by a look at %s', (name, path, more) => {
    const session = new Session(createGate({ tools, root: '/repo', surface: [name], ...more }));
    session.run({ tool: 'read', args: { path }, result: 'x' });
    expect(session.state.considered.at(-1)?.cause).toBe('ok');
  });

  it('of tokens is taken as it is', () => {
    const surface = ['./app.cfg'];
    expect(createGate({ profile: 'reference', surface }).config.surface).toEqual(surface);
  });
});

it('a claim may name what it is about in any form', () => {
  const session = new Session(createGate({ tools, root: '/repo' }));
  session.run({ tool: 'read', args: { path: 'app.cfg' }, result: 'x' });
  const codes = (name: string): readonly string[] =>
    session.gate.submit(session.state, { type: 'assertion', about: [name] }).verdict.reasons.map((item) => item.code);
  for (const name of ['app.cfg', './app.cfg', '/repo/app.cfg', 'src/../app.cfg']) expect(codes(name)).toEqual([]);
  for (const name of ['b.cfg', '/other/app.cfg', '']) expect(codes(name)).toEqual(['gate.identifier-not-observed']);
});

describe('the coding preset', () => {
  it('is named by a digest of what it says', () => {
    expect(CODING_DIGEST).toBe(digest(describeRules(CODING.tools, CODING.commands)));
  });

  it('comes after the commands of a config, which win', () => {
    const commands = [{ words: ['look'], kind: 'read' }] as const;
    const { config } = createGate({ preset: 'coding', commands });
    expect(config.commands).toEqual([...commands, ...CODING.commands]);
    expect(config.commands).toBe(config.commands);
    expect(createGate({ commands }).config.commands).toEqual(commands);
  });
});

describe('a config that makes no sense', () => {
  it.each([
    { settings: { evidence: 'bogus' } },
    { settings: { refusalCost: '1' } },
    { settings: { unheard: 'of' } },
    { tools: { a: { kind: 'bogus' } } },
    { tools: { a: { targets: '/x' } } },
    { tools: { a: { byArgument: { pointer: '/x', cases: { b: { kind: 'bogus' } } } } } },
    { tools: { a: { signals: ['unheard of'] } } },
    { goals: 'tests_passed' },
    { surface: 'app.cfg' },
    { surface: [1] },
  ])('is refused: %j', (config) => {
    let code: unknown = null;
    try {
      createGate(config as unknown as GateConfig);
    } catch (error) {
      code = isWarrantError(error) ? error.code : error;
    }
    expect(code).toBe('SUBMIT_GATE_CONFIG_INVALID');
  });
});
