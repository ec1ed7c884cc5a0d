import type { Json } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import type { ToolContract } from './config-types.ts';
import { evidenceOf } from './evidence.ts';

function classOf(result: Json, contract: ToolContract = {}): string {
  return evidenceOf({ callId: 'c', endSeq: 1, outcome: 'ok', result }, contract);
}

function all(results: readonly Json[], contract: ToolContract = {}): readonly (readonly [string, string])[] {
  return results.map((result) => [JSON.stringify(result).slice(0, 80), classOf(result, contract)]);
}

function expected(results: readonly Json[], kind: string): readonly (readonly [string, string])[] {
  return results.map((result) => [JSON.stringify(result).slice(0, 80), kind]);
}

const within = (value: Json, levels: number): Json => (levels === 0 ? value : [within(value, levels - 1)]);
const held = (value: Json, levels: number): Json => (levels === 0 ? value : { content: held(value, levels - 1) });

describe('an answer is an error', () => {
  it('where the call failed, whatever it shows', () => {
    expect(evidenceOf({ callId: 'c', endSeq: 1, outcome: 'error', result: 'all is well' }, {})).toBe('error');
  });

  it('where its text begins as errors do, after any blanks', () => {
    const results = [
      'Error: no such row',
      '  \n Error: no such row',
      `${' '.repeat(500)}Error: no such row`,
      'cat: a.txt: No such file or directory',
      ': no such file or directory',
      `${'x'.repeat(120)}: permission denied`,
      'ls: cannot access b: no such file or directory\nc.txt',
      `${'a'.repeat(390)}Error`,
    ];
    expect(all(results)).toEqual(expected(results, 'error'));
  });

  it('not where one is spoken of later, or by a name longer than is looked at', () => {
    const results = [
      'the file tells of an Error: no such row',
      `${'x'.repeat(121)}: permission denied`,
      'first line\nsh: x: command not found',
      `${'a'.repeat(400)}Error`,
    ];
    expect(all(results)).toEqual(expected(results, 'positive'));
  });

  it('by the beginnings that its contract names in place of the shipped ones', () => {
    const contract = { errors: ['E1', 'Oops'] };
    expect(all(['E1 x', '  Oops'], contract)).toEqual(expected(['E1 x', '  Oops'], 'error'));
    expect(all(['see E1', 'Error: x'], contract)).toEqual(expected(['see E1', 'Error: x'], 'positive'));
    expect(classOf({ is_error: true, text: 'x' }, contract)).toBe('error');
    expect(all(['Error: x', { isError: true }], { errors: 'outcome' })).toEqual(
      expected(['Error: x', { isError: true }], 'positive'),
    );
  });

  it('where a member says so', () => {
    const results: readonly Json[] = [
      { is_error: true, data: 1 },
      { isError: true, data: 1 },
      { error: 'boom', data: 1 },
      { error: true, data: 1 },
      { error: { message: 'boom' }, data: 1 },
      { errors: ['boom'], data: 1 },
      { error: null, errors: ['boom'] },
      { success: false, data: 1 },
      { ok: false, data: 1 },
      { type: 'error', data: 1 },
      { status: 400 },
      { status: 503, statusCode: 200 },
      { statusCode: 404 },
      { status_code: 500 },
      { status: 'error' },
      { status: 'failed' },
      { status: 'failure' },
    ];
    expect(all(results)).toEqual(expected(results, 'error'));
    const texts = results.map((result) => JSON.stringify(result));
    expect(all(texts)).toEqual(expected(texts, 'error'));
  });

  it('not where those members say nothing of the kind', () => {
    const results: readonly Json[] = [
      { is_error: false, data: 1 },
      { isError: 'true', data: 1 },
      { error: null, data: 1 },
      { error: false, data: 1 },
      { error: 0, data: 1 },
      { error: '', data: 1 },
      { error: 'none', data: 1 },
      { error: { code: 0 }, data: 1 },
      { errors: [], data: 1 },
      { success: true, ok: true, type: 'record' },
      { success: null, ok: null, data: 1 },
      { status: 399 },
      { status: '404' },
      { status: 200, statusCode: 500 },
      { status: 'open' },
      { status: 'errors' },
    ];
    expect(all(results)).toEqual(expected(results, 'positive'));
  });

  it('where all of a list are, two levels down at most', () => {
    const error = { error: 'boom' };
    const errors: readonly Json[] = [[error], [error, error], within(error, 2), held(error, 2), { content: [error] }];
    expect(all(errors)).toEqual(expected(errors, 'error'));
    const others: readonly Json[] = [
      [error, { id: 1 }],
      [{ id: 1 }, error],
      [error, null],
      [error, 'Error: boom'],
      within(error, 3),
      held(error, 3),
      ['Error: boom'],
    ];
    expect(all(others)).toEqual(expected(others, 'positive'));
  });

  it('by its exit code where it states one, else by what it printed', () => {
    const errors: readonly Json[] = [
      { exit_code: 1, stdout: 'fine' },
      { exitCode: -1 },
      { code: 2, stdout: 'fine' },
      { stdout: '', stderr: 'Error: boom' },
      { stdout: 'cat: a: No such file or directory', stderr: '' },
      { stdout: `grep ${'x'.repeat(300)}: ${'y'.repeat(150)}: No such file or directory` },
      { text: 'Error: boom' },
      { content: 'Error: boom' },
      { stderr: 'Error: boom' },
      { content: [{ type: 'text', text: 'Error: boom' }] },
    ];
    expect(all(errors)).toEqual(expected(errors, 'error'));
    const others: readonly Json[] = [
      { exit_code: 0, stdout: 'fine', stderr: 'Error: boom' },
      { exit_code: 0, text: 'Error: boom' },
      { code: 2, name: 'x' },
      { stdout: 'fine', stderr: 'Error: boom' },
      { stdout: 'fine\ncat: a: No such file or directory' },
      { stdout: 'Error: boom' },
      { stdout: '', stderr: 'a warning' },
      { text: 'fine', content: 'Error: boom' },
      { content: 'fine', stderr: 'Error: boom' },
      { content: null, id: 1 },
      { content: 5 },
    ];
    expect(all(others)).toEqual(expected(others, 'positive'));
  });

  it('in JSON as text of any length where its contract says that it is JSON', () => {
    const json = (length: number): string => JSON.stringify({ error: 'x'.repeat(length - '{"error":""}'.length) });
    expect([classOf(json(16_384)), classOf(json(16_385))]).toEqual(['error', 'positive']);
    expect(classOf(json(16_385), { result: 'json' })).toBe('error');
    expect(classOf(json(16_385), { result: 'text' })).toBe('positive');
  });
});

describe('an answer is empty', () => {
  it('where it holds nothing, or says so', () => {
    const results: readonly Json[] = [
      null,
      false,
      '',
      ' \n\t',
      ' '.repeat(300),
      'No results',
      'no matches found.',
      `${' '.repeat(300)}No results${' '.repeat(300)}`,
      '0 rows returned',
      '[]',
      '{}',
      'null',
      [],
      {},
      ['', null],
      { items: [] },
      { note: 'No results', other: null },
    ];
    expect(all(results)).toEqual(expected(results, 'empty'));
  });

  it('not where it holds a value', () => {
    const results: readonly Json[] = [
      0,
      5,
      true,
      'x',
      'x'.repeat(300),
      'No results were what we hoped for',
      ['', 'x'],
      ['x', ''],
      { a: '', b: 'x' },
      { a: 0 },
    ];
    expect(all(results)).toEqual(expected(results, 'positive'));
  });

  it('with counts of nothing, but for no other number', () => {
    const names = [
      'total',
      'count',
      'matches',
      'size',
      'length',
      'total_count',
      'rows_affected',
      'resultCount',
      'code',
    ];
    const empty = names.map((name) => ({ [name]: 0, items: [] }));
    expect(all(empty)).toEqual(expected(empty, 'empty'));
    const others: readonly Json[] = [
      ...names.map((name) => ({ [name]: 1, items: [] })),
      ...['balance', 'countdown', 'my_matches', 'matches_left', 'sized', 'page_size'].map((name) => ({ [name]: 0 })),
      { code: '0 left', items: [] },
    ];
    expect(all(others)).toEqual(expected(others, 'positive'));
  });

  it('in blocks and results of a process whose labels say nothing', () => {
    const empty: readonly Json[] = [
      { type: 'text', text: '' },
      [{ type: 'text', text: 'No results' }],
      { stdout: '', stderr: '', interrupted: false, isImage: false },
      { stdout: '' },
    ];
    expect(all(empty)).toEqual(expected(empty, 'empty'));
    const others: readonly Json[] = [
      { type: 'record', text: '' },
      { kind: 'text', text: '' },
      { stdout: '', stderr: '', interrupted: true },
      { stdout: '', isImage: true },
    ];
    expect(all(others)).toEqual(expected(others, 'positive'));
  });

  it('three levels down at most', () => {
    const box = (levels: number): Json => (levels === 0 ? {} : { box: box(levels - 1) });
    const empty = [within([], 3), box(3), within('', 4)];
    expect(all(empty)).toEqual(expected(empty, 'empty'));
    const others = [within([], 4), box(4)];
    expect(all(others)).toEqual(expected(others, 'positive'));
  });
});
