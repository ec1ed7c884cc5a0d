import { isWarrantError, type Json, type JsonObject } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import type { GateConfig, Postcondition } from './config-types.ts';
import { createGate } from './gate.ts';
import { hashesOf } from './memory.ts';
import { started } from './start.ts';
import { effects, obligation, runningCall, stateOf } from './testing.ts';
import type { GateState, Obligation, RunningCall, SubmitGate } from './types.ts';

type Begin = {
  readonly config?: GateConfig;
  readonly state?: Partial<GateState>;
  readonly tool?: string;
  readonly args?: JsonObject;
  readonly writes?: readonly string[];
  readonly deletes?: readonly string[];
  readonly reads?: readonly string[];
  readonly expects?: Json;
  readonly startSeq?: number;
  readonly id?: string;
};

const PLAIN: GateConfig = {};
const gates = new Map<GateConfig, SubmitGate>();

/** One gate for each config: to name one takes longer than a start. */
function gateOf(config: GateConfig): SubmitGate {
  const gate = gates.get(config) ?? createGate(config);
  gates.set(config, gate);
  return gate;
}

function begin(what: Begin): GateState {
  const gate = gateOf(what.config ?? PLAIN);
  const { writes = [], deletes = [], reads = [] } = what;
  const told = writes.length + deletes.length > 0 ? { class: 'write' as const, writes, deletes } : { reads };
  const call = { id: what.id ?? 'new', tool: what.tool ?? 'tool', arguments: what.args ?? {} };
  const event = { call, startSeq: what.startSeq ?? 10, effects: effects(told) };
  const next = started(
    gate.config,
    stateOf(gate, what.state ?? {}),
    what.expects === undefined ? event : { ...event, expects: what.expects },
  );
  expect(JSON.parse(JSON.stringify(next))).toStrictEqual(next);
  return next;
}

const call = (what: Begin): RunningCall => begin(what).running.at(-1) as RunningCall;
const opened = (what: Begin): Obligation => begin(what).open.at(-1) as Obligation;

function codeOf(what: Begin): unknown {
  try {
    begin(what);
    return null;
  } catch (error) {
    return isWarrantError(error) ? error.code : error;
  }
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n${index}`);
const own: Postcondition = { name: 'own', check: () => ({ type: 'holds' }) };
const KEY = expect.any(String) as string;

describe('a start', () => {
  it.each<[string, Begin, string | null]>([
    ['with a number that is not whole', { startSeq: 1.5 }, 'SUBMIT_GATE_SEQUENCE'],
    ['with one too large to count with', { startSeq: 2 ** 53 }, 'SUBMIT_GATE_SEQUENCE'],
    [
      'of an id that runs',
      { state: { running: [runningCall({ id: 'x' }), runningCall({ id: 'new' })] } },
      'SUBMIT_GATE_CALL_OPEN',
    ],
    ['of an id that is open', { state: { open: [obligation({ id: 'new' }), obligation()] } }, 'SUBMIT_GATE_CALL_OPEN'],
    ['beside others', { state: { running: [runningCall()], open: [obligation()] } }, null],
  ])('%s is refused or not', (_, what, code) => {
    expect(codeOf(what)).toBe(code);
  });

  it('moves the count forward, never back', () => {
    expect([begin({ startSeq: 3, state: { seq: 5 } }).seq, begin({ startSeq: 7, state: { seq: 5 } }).seq]).toEqual([
      5, 7,
    ]);
  });

  it('puts the call behind those that run', () => {
    expect(begin({ state: { running: [runningCall()] } }).running.map((item) => item.id)).toEqual(['look', 'new']);
  });
});

describe('a running call', () => {
  const plain = { id: 'new', tool: 'tool', kind: 'read', from: 10, targets: ['a'], key: KEY, meets: false };

  it('keeps what is read of it later, and no more', () => {
    expect(call({ reads: ['a'] })).toStrictEqual({ ...plain, size: 160 + 3 + 4 });
    expect(call({ writes: ['a'], state: { lastMutation: 4 } })).toStrictEqual({
      ...plain,
      kind: 'write',
      after: 4,
      size: 167,
    });
  });

  it('keeps what a shell command was read as', () => {
    const config: GateConfig = { preset: 'coding' };
    const bash = (command: string): RunningCall => call({ config, tool: 'Bash', args: { command }, writes: ['?'] });
    const run = { ...plain, tool: 'Bash', size: 163 };
    expect(bash('npm test')).toStrictEqual({
      ...run,
      kind: 'check',
      targets: [],
      exact: true,
      signals: ['tests_passed'],
      size: 163,
    });
    expect(bash('./build.sh && npm test | cat')).toStrictEqual({
      ...run,
      kind: 'run',
      targets: null,
      exact: false,
      signals: ['tests_passed'],
      changes: true,
    });
    expect(bash('git commit -m x')).toMatchObject({ kind: 'write', keeps: true });
    const commands = [
      { words: ['probe'], kind: 'check' as const },
      { words: ['send'], kind: 'write' as const, ownAnswer: { name: 'sent', pattern: /sent/ } },
    ];
    const known = (command: string): RunningCall =>
      call({ config: { commands, tools: { sh: { kind: 'shell' } } }, tool: 'sh', args: { command }, writes: ['?'] });
    expect(known('probe')).toMatchObject({ kind: 'check', exact: true });
    expect(known('probe')).not.toHaveProperty('signals');
    expect(known('probe')).not.toHaveProperty('rule');
    expect(known('send')).toMatchObject({ kind: 'write', rule: 'sent' });
    expect(call({ config, tool: 'Bash', args: { command: 'ls src' } })).toStrictEqual({
      ...run,
      targets: ['src'],
      lists: true,
      size: 163 + 6,
    });
    expect(call({ config, tool: 'view', args: { path: 'a' } })).toStrictEqual({ ...plain, tool: 'view', size: 167 });
    expect(call({ config, tool: 'text_editor', args: { path: 'a', command: 'view' } })).toStrictEqual({
      ...plain,
      tool: 'text_editor',
      variant: 'view',
      size: 167,
    });
  });

  it('keeps the first eight targets; a change of more may change anything', () => {
    expect(call({ writes: names(8) })).toMatchObject({ targets: names(8) });
    expect(call({ writes: names(8) })).not.toHaveProperty('many');
    expect(call({ writes: names(9) })).toMatchObject({ targets: names(8), many: true });
    expect(call({ reads: names(9) }).targets).toEqual(names(8));
    expect(call({ reads: names(9) })).not.toHaveProperty('many');
    expect(call({ reads: names(9) }).size).toBe(163 + 8 * 5);
  });

  it('keeps its arguments where its answer is held against them, up to 4,096 characters', () => {
    const config: GateConfig = { tools: { set: { kind: 'write', targets: ['/id'], ownAnswer: own } } };
    const text = (length: number): string => 'x'.repeat(length - '{"id":""}'.length);
    expect(call({ config, tool: 'set', args: { id: 'x1' } })).toMatchObject({ args: { id: 'x1' }, size: 163 + 5 + 11 });
    expect(call({ config, tool: 'set', args: { $text: 'set x1' } }).args).toEqual({ $text: 'set x1' });
    expect(call({ config, tool: 'set', args: { id: text(4_096) } }).args).toEqual({ id: text(4_096) });
    expect(call({ config, tool: 'set', args: { id: text(4_097) } })).not.toHaveProperty('args');
    expect(call({ tool: 'set', args: { id: 'x1' } })).not.toHaveProperty('args');
  });

  it('keeps the beginning of its arguments as text for an extractor', () => {
    const config: GateConfig = { extractors: { find: { name: 'names', run: () => [] } } };
    expect(call({ config, tool: 'find', args: { q: 'a' } }).args).toBe('{"q":"a"}');
    expect(call({ config, tool: 'find', args: { q: 'x'.repeat(5_000) } }).args).toBe(`{"q":"${'x'.repeat(4_090)}`);
    expect(call({ tool: 'find', args: { q: 'a' } })).not.toHaveProperty('args');
  });

  it('is told apart by its arguments as they are, or without dates and ids where the setting says so', () => {
    const keys = (config: GateConfig): number =>
      new Set(['2026-01-01', '2026-01-02', 'monday'].map((day) => call({ config, args: { day } }).key)).size;
    const upper = { name: 'upper', run: (text: string) => text.replace('monday', '2026-01-01') };
    expect(keys({})).toBe(3);
    expect(keys({ normalizers: { tool: upper } })).toBe(3);
    expect(keys({ settings: { novelty: 'scrubbed' } })).toBe(2);
    expect(keys({ settings: { novelty: 'scrubbed' }, normalizers: { tool: upper } })).toBe(1);
    expect(call({ tool: 'one' }).key).not.toBe(call({ tool: 'two' }).key);
  });

  it('meets the surface by what it is of', () => {
    const config: GateConfig = { surface: ['a', 'b'] };
    expect(call({ config, reads: ['x', 'a'] }).meets).toBe(true);
    expect(call({ config, reads: ['x'] }).meets).toBe(false);
    expect(call({ config, reads: ['x'], args: { description: 'of a' } }).meets).toBe(false);
    expect(call({ config, reads: ['x'], state: { changed: ['x'] } }).meets).toBe(false);
    expect(call({ config: { preset: 'coding', ...config }, tool: 'Bash', args: { command: 'a' } }).meets).toBe(false);
  });

  it('by tokens meets it by any word of its arguments, or what was changed', () => {
    const config: GateConfig = { surface: ['a.cfg', 'b.cfg'], settings: { identifiers: 'tokens' } };
    const meets = (description: string, changed: readonly string[] = []): boolean =>
      call({ config, args: { description }, state: { changed } }).meets;
    expect([meets('set a.cfg'), meets('set c.cfg'), meets('set c.cfg', ['c.cfg', 'd.cfg'])]).toEqual([
      true,
      false,
      true,
    ]);
    expect(call({ config, reads: ['a.cfg'], args: { x: 1 } }).meets).toBe(false);
    expect(
      call({ config: { ...config, extractors: { tool: { name: 'n', run: () => [] } } }, args: { x: 'a.cfg' } }).meets,
    ).toBe(false);
  });
});

describe('the limits of running calls', () => {
  const running = (id: string, members: Partial<RunningCall> = {}): RunningCall =>
    runningCall({ id, size: 100, ...members });
  const write = { kind: 'write' as const, targets: ['a'], from: 1 };

  it('forget the oldest beyond their number', () => {
    const config: GateConfig = { limits: { running: 2 } };
    const ids = (state: readonly RunningCall[]): readonly string[] =>
      begin({ config, state: { running: state } }).running.map((item) => item.id);
    expect(ids([running('one')])).toEqual(['one', 'new']);
    expect(ids([running('one'), running('two')])).toEqual(['two', 'new']);
    expect(ids([running('one'), running('two'), running('three')])).toEqual(['three', 'new']);
  });

  it('forget the oldest beyond their size, never the newest', () => {
    const ids = (runningSize: number, ...sizes: readonly number[]): readonly string[] =>
      begin({
        config: { limits: { runningSize } },
        reads: ['a'],
        state: { running: sizes.map((size, index) => running(`${index}`, { size })) },
      }).running.map((item) => item.id);
    expect(ids(367, 100, 100)).toEqual(['0', '1', 'new']);
    expect(ids(366, 100, 100)).toEqual(['1', 'new']);
    expect(ids(366, 90, 300)).toEqual(['new']);
    expect(ids(300, 500, 100)).toEqual(['1', 'new']);
    expect(ids(1)).toEqual(['new']);
  });

  it('of a change that is forgotten leave what can no longer be named, and what it may have changed until now', () => {
    const config: GateConfig = { limits: { running: 1 } };
    const open = [obligation({ id: 'other' }), obligation({ id: 'old', ended: null })];
    const evidence = [{ callId: 'x', tier: 'observed' as const, seq: 2, targets: ['a'] }];
    const members = { running: [running('old', write)], open, evidence, beyond: 2, seq: 12 };
    const next = begin({ config, state: members, startSeq: 9 });
    expect([next.open.map((item) => item.id), next.beyond, next.lastMutation]).toEqual([['other'], 3, 8]);
    expect([next.things, next.evidence[0]?.stale]).toEqual([[{ name: 'a', changed: 8 }], true]);
    expect(next.running[0]?.beside).toEqual([8]);
    const reported = begin({ config, state: { ...members, open: open.slice(0, 1) }, startSeq: 9 });
    expect([reported.open.map((item) => item.id), reported.beyond]).toEqual([['other'], 2]);
  });

  it.each<[string, GateConfig, Partial<RunningCall>]>([
    ['of a look', {}, { kind: 'read', targets: ['a'] }],
    ['of a change that touches nothing seen', {}, { ...write, keeps: true }],
    ['of a change, where changes need no look each', { settings: { obligations: 'last-mutation' } }, write],
  ])('%s that is forgotten leave nothing', (_, config, members) => {
    const next = begin({
      config: { ...config, limits: { running: 1 } },
      state: { running: [running('old', members)] },
    });
    expect([next.running.length, next.beyond, next.lastMutation, next.things]).toEqual([1, 0, null, []]);
  });
});

describe('the obligation of a change', () => {
  const config: GateConfig = {
    tools: {
      set: { kind: 'write', targets: ['/path'], expects: { contains: '/new', replaces: '/old' } },
      put: { kind: 'write', targets: ['/path'], expects: { contains: '/new' } },
      run: { kind: 'run' },
    },
  };

  it('is open from the start, with what it is held against', () => {
    const item = opened({ writes: ['a'] });
    const kept = {
      id: 'new',
      tool: 'tool',
      key: KEY,
      targets: ['a'],
      from: 10,
      ended: null,
      failed: false,
      redo: false,
    };
    expect(item).toStrictEqual({ ...kept, size: expect.any(Number) as number });
    const { size, ...rest } = item;
    expect(size).toBe(JSON.stringify(rest).length + 160);
    expect(opened({ writes: ['a'], config: { settings: { failedMutations: 'redo' } } }).redo).toBe(true);
  });

  it('is there for what changes or runs, not for a look, nor where changes need no look each', () => {
    const count = (what: Begin): number => begin({ state: { open: [obligation()] }, ...what }).open.length;
    expect([count({ writes: ['a'] }), count({ config, tool: 'run' }), count({ reads: ['a'] })]).toEqual([2, 2, 1]);
    expect(count({ writes: ['a'], config: { settings: { obligations: 'last-mutation' } } })).toBe(1);
  });

  it('names up to eight targets, of more none', () => {
    expect([opened({ writes: names(8) }).targets, opened({ writes: names(9) }).targets]).toEqual([names(8), null]);
    expect([opened({ deletes: names(8) }).gone, opened({ deletes: names(9) }).gone]).toEqual([names(8), undefined]);
    expect(opened({ deletes: ['a'], writes: ['b'] })).toMatchObject({ targets: ['b', 'a'], gone: ['a'] });
    expect(opened({ writes: ['b'] })).not.toHaveProperty('gone');
    expect(opened({ config, tool: 'run' }).targets).toBeNull();
  });

  it('takes up to 1,024 characters of what is expected', () => {
    const expects = 'x'.repeat(1_022);
    expect(opened({ writes: ['a'], expects }).expects).toEqual({ type: 'stated', value: expects });
    expect(codeOf({ writes: ['a'], expects: `${expects}x` })).toBe('SUBMIT_GATE_CONTRACT_INVALID');
    const ignored: GateConfig = { settings: { expectations: 'ignored' }, tools: config.tools ?? {} };
    expect(opened({ config: ignored, writes: ['a'], expects: `${expects}x` })).not.toHaveProperty('expects');
    expect(opened({ config: ignored, tool: 'put', args: { path: 'a', new: 'x' } })).not.toHaveProperty('expects');
  });

  it.each<[string, string, JsonObject, object | undefined]>([
    ['text to be found', 'put', { new: 'x' }, { type: 'derived', value: 'x' }],
    ['text in the place of another', 'set', { new: 'x', old: 'y' }, { type: 'derived', value: 'x', replaces: 'y' }],
    ['text in the place of one that is not given', 'set', { new: 'x' }, { type: 'derived', value: 'x' }],
    ['text in the place of what is no text', 'set', { new: 'x', old: 1 }, { type: 'derived', value: 'x' }],
    ['a text to be gone', 'set', { new: '', old: 'y' }, { type: 'derived', value: '', replaces: 'y' }],
    ['no text', 'put', { new: '' }, undefined],
    ['no text in the place of one that is not given', 'set', { new: '' }, undefined],
    ['what is no text', 'put', { new: 5 }, undefined],
    ['nothing', 'put', {}, undefined],
  ])('derives from its arguments %s', (_, tool, args, expects) => {
    expect(opened({ config, tool, args: { path: 'a', ...args } }).expects).toStrictEqual(expects);
  });

  it('prefers what is stated to what is derived', () => {
    expect(opened({ config, tool: 'put', args: { path: 'a', new: 'x' }, expects: 'y' }).expects).toEqual({
      type: 'stated',
      value: 'y',
    });
  });

  it('names up to eight values that had to be read before and were not', () => {
    const contract: GateConfig = { tools: { set: { kind: 'write', targets: ['/path'], readBefore: ['/ids'] } } };
    const blind = (ids: readonly string[]): readonly string[] | undefined =>
      opened({ config: contract, tool: 'set', args: { path: 'a', ids }, state: { codes: [hashesOf(['n1'])] } }).blind;
    expect(blind(names(3))).toEqual(['n0', 'n2']);
    expect(blind(['n1'])).toBeUndefined();
    expect(blind(names(12))).toEqual(['n0', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8']);
    expect(opened({ writes: ['a'] })).not.toHaveProperty('blind');
  });

  it('fills in the read-back that its contract names, up to 1,024 characters', () => {
    const verifyWith = { tool: 'get', arguments: { key: '/id', other: '/none', mode: 'full' } };
    const contract: GateConfig = { tools: { set: { kind: 'write', targets: ['/path'], verifyWith } } };
    const back = (id: string): unknown => opened({ config: contract, tool: 'set', args: { path: 'a', id } }).readBack;
    const filled = (key: string): object => ({ tool: 'get', arguments: { key, other: null, mode: 'full' } });
    const room = 1_024 - JSON.stringify(filled('')).length;
    expect(back('x1')).toEqual(filled('x1'));
    expect(back('x'.repeat(room))).toEqual(filled('x'.repeat(room)));
    expect(back('x'.repeat(room + 1))).toBeUndefined();
    expect(opened({ writes: ['a'] })).not.toHaveProperty('readBack');
  });
});
