import type { CallEffects, Json, JsonObject } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { type CallReading, contractOf, contractOfCall, effectsOf, namingOf, readCall } from './classify.ts';
import type { GateConfig, ToolContract } from './config-types.ts';
import { createGate } from './gate.ts';
import { effects } from './testing.ts';

const call = (args: JsonObject, tool = 'tool'): { id: string; tool: string; arguments: JsonObject } => ({
  id: 'c',
  tool,
  arguments: args,
});

/** How a call of `tool` with this contract is read. */
function reading(
  contract: ToolContract,
  args: JsonObject,
  told: Partial<CallEffects> = {},
  config: GateConfig = {},
): CallReading {
  const gate = createGate(config);
  return readCall(gate.config, call(args), contract, effects(told));
}

describe('the contract of a call', () => {
  const view: ToolContract = { kind: 'read' };
  const odd: ToolContract = { kind: 'neutral' };
  const edit: ToolContract = {
    kind: 'write',
    byArgument: { pointer: '/mode', cases: { view, undefined: odd, '7': view } },
  };
  const { config } = createGate({ tools: { edit, plain: view } });

  it.each<[string, JsonObject, object]>([
    ['edit', { mode: 'view' }, { contract: view, variant: 'view' }],
    ['edit', { mode: 7 }, { contract: view, variant: '7' }],
    ['edit', { mode: 'undefined' }, { contract: odd, variant: 'undefined' }],
    ['edit', { mode: 'other' }, { contract: edit }],
    ['edit', { mode: 'constructor' }, { contract: edit }],
    ['edit', {}, { contract: edit }],
    ['plain', { mode: 'view' }, { contract: view }],
    ['unknown', {}, { contract: {} }],
    ['constructor', {}, { contract: {} }],
  ])('%s %j', (tool, args, expected) => {
    expect(contractOfCall(config, call(args, tool))).toStrictEqual(expected);
  });

  it('is found again by the value that chose it', () => {
    expect(contractOf(config, { tool: 'edit', variant: 'view' })).toBe(view);
    expect(contractOf(config, { tool: 'edit' })).toBe(edit);
    expect(contractOf(config, { tool: 'edit', variant: 'other' })).toBe(edit);
    expect(contractOf(config, { tool: 'plain', variant: 'view' })).toBe(view);
  });
});

it('names are taken from the root, and from the folder of the call where it has one', () => {
  const { config } = createGate({ root: '/repo', caseSensitive: false });
  expect(namingOf(config)).toStrictEqual({ root: '/repo', caseSensitive: false });
  expect(namingOf(config, { directory: '/repo/src' })).toStrictEqual({
    root: '/repo',
    caseSensitive: false,
    directory: '/repo/src',
  });
});

describe('effects', () => {
  const targets = ['/path'];
  const tools: { readonly [tool: string]: ToolContract } = {
    read: { kind: 'read', targets },
    write: { kind: 'write', targets },
    drop: { kind: 'write', targets, deletes: true },
    blind: { kind: 'write' },
    look: { kind: 'read' },
    check: { kind: 'check' },
    neutral: { kind: 'neutral' },
    run: { kind: 'run' },
    shell: { kind: 'shell' },
    open: {},
  };
  const UNKNOWN: CallEffects = {
    class: 'unknown',
    reads: [],
    writes: [],
    deletes: [],
    unknownTargets: ['writes'],
    network: 'unknown',
  };
  const read = { ...UNKNOWN, class: 'read', unknownTargets: [] };
  const write = { ...UNKNOWN, class: 'write', unknownTargets: [] };

  it.each<[string, object]>([
    ['read', { ...read, reads: ['a'] }],
    ['look', read],
    ['write', { ...write, writes: ['a'] }],
    ['drop', { ...write, deletes: ['a'] }],
    ['blind', { ...write, unknownTargets: ['writes'] }],
    ['check', read],
    ['neutral', read],
    ['run', UNKNOWN],
    ['shell', UNKNOWN],
    ['open', UNKNOWN],
    ['none', UNKNOWN],
  ])('of %s follow its contract', (tool, expected) => {
    expect(effectsOf(createGate({ tools }).config, call({ path: './a' }, tool))).toStrictEqual(expected);
  });

  it('of shells and tools without a contract are those of the classifier', () => {
    const told = effects({ reads: ['told'] });
    const { config } = createGate({ tools, classifier: { name: 'told', classify: () => told } });
    const asked = Object.keys({ ...tools, none: 0 }).filter((tool) => effectsOf(config, call({}, tool)) === told);
    expect(asked).toEqual(['shell', 'open', 'none']);
  });
});

describe('the kind of a call', () => {
  it.each<[string, ToolContract, Partial<CallEffects>, CallReading['kind']]>([
    ['without a contract that reads', {}, { class: 'read' }, 'read'],
    ['without a contract that writes', {}, { class: 'write' }, 'write'],
    ['without a contract of which nothing is known', {}, { class: 'unknown' }, 'write'],
    ['of a shell that reads', { kind: 'shell' }, { class: 'read' }, 'read'],
    ['of a shell of which nothing is known', { kind: 'shell' }, { class: 'unknown' }, 'write'],
    ['of a reading tool', { kind: 'read' }, { class: 'unknown' }, 'read'],
    ['of a reading tool that writes', { kind: 'read' }, { class: 'write' }, 'write'],
    ['of a writing tool that reads', { kind: 'write' }, { class: 'read' }, 'write'],
    ['of a check that writes', { kind: 'check' }, { class: 'write' }, 'check'],
    ['of a neutral tool that writes', { kind: 'neutral' }, { class: 'write' }, 'neutral'],
    ['of a runner', { kind: 'run' }, { class: 'read' }, 'run'],
  ])('%s', (_, contract, told, kind) => {
    expect(reading(contract, {}, told).kind).toBe(kind);
  });

  it('without targets says so', () => {
    expect(reading({ kind: 'neutral' }, { path: 'a' })).toStrictEqual({
      kind: 'neutral',
      targets: null,
      gone: [],
      lists: false,
    });
    expect(reading({ kind: 'run' }, { path: 'a' })).toStrictEqual({
      kind: 'run',
      targets: null,
      gone: [],
      lists: false,
    });
    expect(reading({ kind: 'check' }, { path: 'a' })).toStrictEqual({
      kind: 'check',
      targets: [],
      gone: [],
      lists: false,
      exact: true,
    });
  });
});

describe('what a look is of', () => {
  const of = (
    contract: ToolContract,
    args: JsonObject,
    told: Partial<CallEffects> = {},
    config: GateConfig = {},
  ): CallReading['targets'] => reading(contract, args, told, config).targets;
  const path = { kind: 'read', targets: ['/path'] } as const;

  it.each<[string, ToolContract, JsonObject, Partial<CallEffects>, readonly string[]]>([
    ['is what its effects read', {}, { path: 'x' }, { reads: ['./a', '', 'a'] }, ['a']],
    ['is what its contract declares', path, { path: './a', other: 'x' }, {}, ['a']],
    ['is both', path, { path: 'b' }, { reads: ['a'] }, ['a', 'b']],
    ['is nothing where what is declared is not there', path, { other: 'x' }, {}, []],
    ['is what its arguments name, where nothing is declared', { kind: 'read' }, { path: 'a', n: 5 }, {}, ['a']],
    ['is nothing that the arguments of a shell name', { kind: 'shell' }, { path: 'a' }, { class: 'read' }, []],
    [
      'is the whole folder as well where reads are unknown',
      {},
      { path: 'a' },
      { unknownTargets: ['reads'] },
      ['a', '.'],
    ],
    ['is the whole folder beside what is read', {}, {}, { reads: ['a', '.'], unknownTargets: ['reads'] }, ['a', '.']],
    [
      'is no folder where only writes are unknown',
      { kind: 'read' },
      { path: 'a' },
      { unknownTargets: ['writes'] },
      ['a'],
    ],
  ])('%s', (_, contract, args, told, targets) => {
    expect(of(contract, args, told)).toStrictEqual(targets);
  });

  it('by tokens is what its effects say, as they say it', () => {
    expect(of({}, {}, { reads: ['./a'] }, { settings: { identifiers: 'tokens' } })).toEqual(['./a']);
  });

  it('lists where its contract says so', () => {
    expect(reading(path, { path: 'a' })).toStrictEqual({ kind: 'read', targets: ['a'], gone: [], lists: false });
    expect(reading({ ...path, lists: true }, { path: 'a' }).lists).toBe(true);
  });
});

describe('what a change touches', () => {
  const path = { kind: 'write', targets: ['/path'] } as const;
  const shell = { kind: 'shell' } as const;
  type Touched = { readonly targets: CallReading['targets']; readonly gone?: readonly string[] };

  it.each<[string, ToolContract, JsonObject, Partial<CallEffects>, Touched]>([
    ['what its contract declares', path, { path: './a', b: 'x' }, {}, { targets: ['a'] }],
    [
      'what its effects write and delete',
      {},
      { b: 'x' },
      { class: 'write', writes: ['a', 'a'], deletes: ['./d', 'd'] },
      { targets: ['a', 'd'], gone: ['d'] },
    ],
    [
      'both',
      path,
      { path: 'a' },
      { class: 'write', writes: ['b'], deletes: ['c'] },
      { targets: ['b', 'a', 'c'], gone: ['c'] },
    ],
    [
      'what is removed',
      { ...path, deletes: true },
      { path: 'a' },
      { class: 'write', deletes: ['b'] },
      { targets: ['b', 'a'], gone: ['b', 'a'] },
    ],
    [
      'what is removed as its effects say',
      { kind: 'write', deletes: true },
      {},
      { class: 'write', deletes: ['b'] },
      { targets: ['b'], gone: ['b'] },
    ],
    [
      'what its arguments name, where nothing is declared',
      { kind: 'write' },
      { path: 'a', n: 5 },
      {},
      { targets: ['a'] },
    ],
    ['what its arguments name, without a contract', {}, { path: 'a' }, { class: 'unknown' }, { targets: ['a'] }],
    ['nobody knows what, where nothing is named', { kind: 'write' }, {}, {}, { targets: null }],
    ['nobody knows what, where what is declared is not there', path, { other: 'a' }, {}, { targets: null }],
    [
      'what it names, although there may be more',
      path,
      { path: 'a' },
      { class: 'write', writes: ['b'], unknownTargets: ['writes'] },
      { targets: ['b', 'a'] },
    ],
    ['nobody knows what a shell names', shell, { path: 'a' }, { class: 'write' }, { targets: null }],
    ['what a shell writes by its effects', shell, {}, { class: 'write', writes: ['a'] }, { targets: ['a'] }],
    [
      'what a shell writes, whatever it reads',
      shell,
      {},
      { class: 'write', writes: ['a'], unknownTargets: ['reads'] },
      { targets: ['a'] },
    ],
    [
      'nobody knows what, where a shell may write more',
      shell,
      {},
      { class: 'write', writes: ['a'], unknownTargets: ['writes'] },
      { targets: null },
    ],
    [
      'nobody knows what, where a shell may delete more',
      shell,
      {},
      { class: 'write', writes: ['a'], unknownTargets: ['reads', 'deletes'] },
      { targets: null },
    ],
    [
      'nobody knows what, where nothing is known of a shell',
      shell,
      {},
      { class: 'unknown', writes: ['a'] },
      { targets: null },
    ],
  ])('is %s', (_, contract, args, told, expected) => {
    expect(reading(contract, args, told)).toStrictEqual({ kind: 'write', gone: [], lists: false, ...expected });
  });

  it('by tokens is not taken from its arguments', () => {
    const tokens: GateConfig = { settings: { identifiers: 'tokens' } };
    expect(reading({ kind: 'write' }, { path: 'a' }, {}, tokens).targets).toBeNull();
    expect(reading(path, { path: 'a' }, { class: 'write', writes: ['./b'] }, tokens).targets).toEqual(['./b', 'a']);
  });
});

describe('a shell with known commands', () => {
  const sent = { name: 'sent', pattern: /sent/ };
  const config: GateConfig = {
    commands: [
      { words: ['cat'], kind: 'read' },
      { words: ['ls'], kind: 'read', shows: 'names' },
      { words: ['probe'], kind: 'check', signal: 'probed' },
      { words: ['send'], kind: 'write', ownAnswer: sent },
      { words: ['store'], kind: 'write', keeps: true },
    ],
  };
  const classified: GateConfig = { ...config, classifier: { name: 'c', classify: () => effects({}) } };
  const shell = { kind: 'shell' } as const;
  const line = (command: Json, told: Partial<CallEffects> = { class: 'unknown' }, own = config): CallReading =>
    reading(shell, { command }, told, own);
  const CHANGE = { kind: 'write', targets: null, gone: [], lists: false };

  it.each<[string, object]>([
    ['cat a ./b', { kind: 'read', targets: ['a', 'b'], gone: [], lists: false }],
    ['ls src', { kind: 'read', targets: ['src'], gone: [], lists: true }],
    ['probe x', { kind: 'check', targets: [], gone: [], lists: false, exact: true, signals: ['probed'] }],
    ['probe | cat', { kind: 'check', targets: [], gone: [], lists: false, exact: false, signals: ['probed'] }],
    ['send x', { ...CHANGE, keeps: false, rule: 'sent' }],
    ['store x', { ...CHANGE, keeps: true }],
    [
      './x && probe',
      { kind: 'run', targets: null, gone: [], lists: false, exact: false, signals: ['probed'], changes: true },
    ],
    ['unheard-of', CHANGE],
  ])('reads %j by their table', (command, expected) => {
    expect(line(command)).toStrictEqual(expected);
  });

  it('reads no name from empty text', () => {
    expect(line("cat a ''").targets).toEqual(['a']);
  });

  it('is a change of nobody knows what without a table, or for a tool that is no shell', () => {
    expect(line('cat a', { class: 'unknown' }, {})).toStrictEqual(CHANGE);
    expect(line('./x && probe', { class: 'unknown' }, {})).toStrictEqual(CHANGE);
    expect(line('./x', { class: 'unknown' }, {})).toStrictEqual(CHANGE);
    expect(reading({}, { command: 'cat a' }, { class: 'unknown' }, config).kind).toBe('write');
    expect(reading({ kind: 'write' }, { command: 'cat a' }, { class: 'unknown' }, config).kind).toBe('write');
  });

  it('believes effects that know more than the table', () => {
    expect(line('cat a', { class: 'write', writes: ['w'] })).toMatchObject({ kind: 'read', targets: ['a'] });
    expect(line('cat a', { class: 'write', writes: ['w'] }, classified)).toMatchObject({
      kind: 'write',
      targets: ['w'],
    });
    expect(line('cat a', { class: 'read', reads: ['w'] }, classified)).toMatchObject({ kind: 'read', targets: ['a'] });
    expect(line('./x && probe', { class: 'read', reads: ['w'] })).toMatchObject({ kind: 'read', targets: ['w'] });
  });

  it.each<[string, CallReading['kind'], CallReading['targets']]>([
    ['cat a', 'neutral', null],
    ['probe', 'neutral', null],
    ['send x', 'write', null],
    ['./x && probe', 'write', null],
  ])('in the background, %s says nothing yet', (command, kind, targets) => {
    const background = reading(shell, { command, run_in_background: true }, { class: 'unknown' }, config);
    expect(background).toStrictEqual({ kind, targets, gone: [], lists: false });
    const before = reading(shell, { command, run_in_background: 'yes' }, { class: 'unknown' }, config);
    expect(before.kind).not.toBe('neutral');
  });

  it.each<[Json, string]>([
    ['cat a', 'a'],
    [['cat', 'a'], 'a'],
    [['cat', 'a/b.c', '--x=1', 'u:v@w%2+3,4'], 'a/b.c u:v@w%2+3,4'],
    [[], ''],
    [['cat', 'a b'], ''],
    [['cat', '$a'], ''],
    [['cat', 'a;'], ''],
    [['cat', ';a'], ''],
    [['cat', ''], ''],
    [['cat', 5], ''],
    [{ cat: 'a' }, ''],
    [5, ''],
    [null, ''],
  ])('reads the words of %j', (command, targets) => {
    const read = line(command);
    expect(read.kind === 'read' ? read.targets?.join(' ') : '').toBe(targets);
  });

  it('finds the line where the contract says, or in a bare text', () => {
    expect(reading({ ...shell, command: 'line' }, { line: 'cat a', command: 'cat b' }, {}, config).targets).toEqual([
      'a',
    ]);
    expect(reading(shell, { $text: 'cat a' }, { class: 'unknown' }, config).targets).toEqual(['a']);
    expect(reading(shell, {}, { class: 'unknown' }, config)).toStrictEqual(CHANGE);
  });
});
