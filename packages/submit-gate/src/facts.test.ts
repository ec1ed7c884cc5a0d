import { describe, expect, it } from 'vitest';
import type { GateConfig } from './config-types.ts';
import { createGate } from './gate.ts';
import { gateTools } from './gate-tools.ts';

const boom = (): never => {
  throw new Error('boom');
};
const read = { kind: 'read', targets: ['/path'] } as const;
const configs: readonly (readonly [string, GateConfig, string])[] = [
  ['extractor', { tools: { read }, surface: ['b'], extractors: { read: { name: 'boom', run: boom } } }, 'not-relevant'],
  [
    'extractor of tokens',
    { profile: 'reference', tools: { read }, surface: ['b'], extractors: { read: { name: 'boom', run: boom } } },
    'not-relevant',
  ],
  ['normalizer', { tools: { read }, normalizers: { read: { name: 'boom', run: boom } } }, 'ok'],
  [
    'mapper',
    {
      tools: { read: { kind: 'write', targets: ['/path'], signals: ['boom'] } },
      mappers: [{ name: 'boom', map: boom }],
    },
    'not-read-only',
  ],
  [
    'postcondition',
    { tools: { read: { kind: 'write', targets: ['/path'], ownAnswer: { name: 'boom', check: boom } } } },
    'not-read-only',
  ],
];

describe('a call is noted whatever functions of the config do', () => {
  it.each(configs)('where the %s throws', async (_name, config, cause) => {
    const { tools, session } = gateTools({ read: () => 'value' }, createGate(config));
    expect(await tools.read({ path: 'a' })).toBe('value');
    expect(session.state.running).toEqual([]);
    expect(session.state.considered.map((item) => item.cause)).toEqual([cause]);
  });
});
