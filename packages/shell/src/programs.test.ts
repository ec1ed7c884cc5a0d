import { isWarrantError } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { analyzeCommand, lintPrograms, parsePrograms } from './index.ts';

const table = {
  mytool: { class: 'read', operands: 'reads', options: '-o,--output=:write -n,--lines= --exec=:unknown', strict: true },
  deploy: {
    class: 'write',
    network: true,
    subcommands: { status: { class: 'read' }, push: { class: 'write', operands: 'reads' } },
  },
  cat: { class: 'unknown' },
};
const programs = parsePrograms(table);
const analyze = (line: string): ReturnType<typeof analyzeCommand> => analyzeCommand(line, { programs });

describe("a table of one's own", () => {
  it('teaches programs', () => {
    expect(analyze('mytool -n 3 a').class).toBe('read');
    expect(analyze('mytool -n 3 a').reads.map(({ path }) => path)).toEqual(['a']);
    expect(analyze('mytool --output=x a').writes.map(({ path }) => path)).toEqual(['x']);
    expect(analyze('mytool --exec=x a').class).toBe('unknown');
    expect(analyze('mytool "$X"').class).toBe('unknown');
    expect(analyzeCommand('mytool a').class).toBe('unknown');
  });

  it('teaches subcommands, and no others', () => {
    expect(analyze('deploy status')).toMatchObject({ class: 'read', network: 'yes' });
    expect(analyze('deploy push a').reads.map(({ path }) => path)).toEqual(['a']);
    expect(analyze('deploy nuke').class).toBe('unknown');
    expect(analyze('deploy "$X"').class).toBe('unknown');
    expect(analyze('deploy constructor').class).toBe('unknown');
    expect(analyze('deploy').class).toBe('unknown');
  });

  it('may make a known program stricter', () => {
    expect(analyze('cat a').class).toBe('unknown');
  });

  it('never makes what runs other programs harmless', () => {
    for (const tail of [
      'rm -rf x',
      'sudo ls',
      '/bin/rm x',
      'sh -c ls',
      '-- rm x',
      'profile rm x',
      'bash x.sh',
      'python3 x.py',
    ]) {
      expect(analyze(`mytool ${tail}`).class).toBe('unknown');
    }
    expect(analyze('deploy push bash x.sh').class).toBe('unknown');
  });
});

describe('lint of a table', () => {
  it.each([
    ['a list', [], ''],
    ['a path as a name', { './x': { class: 'read' } }, '/.~1x'],
    ['no class', { x: {} }, '/x/class'],
    ['another key', { x: { class: 'read', rule: 'git' } }, '/x/rule'],
    ['another class', { x: { class: 'safe' } }, '/x/class'],
    ['other operands', { x: { class: 'read', operands: 'all' } }, '/x/operands'],
    ['bad options', { x: { class: 'read', options: 'output=' } }, '/x/options'],
    ['an unknown action', { x: { class: 'read', options: '-o=:explode' } }, '/x/options'],
    ['a flag that is text', { x: { class: 'read', strict: 'yes' } }, '/x/strict'],
    [
      'a bad subcommand',
      { x: { class: 'read', subcommands: { y: { class: 'read', subcommands: {} } } } },
      '/x/subcommands/y/subcommands',
    ],
    ['subcommands as a list', { x: { class: 'read', subcommands: [] } }, '/x/subcommands'],
    ['an entry that is text', { x: 'read' }, '/x'],
  ])('points at %s', (_, value, pointer) => {
    expect(lintPrograms(value).map((issue) => issue.pointer)).toContain(pointer);
  });

  it.each([
    'sudo',
    'env',
    'xargs',
    'bash',
    'ssh',
    'npx',
    'setpriv',
    'tmux',
    'make',
    'python3',
    'find',
    'git',
    'vim',
    'rm',
    'cat',
    'awk',
    'docker',
  ])('lets %s only be made unknown', (name) => {
    expect(lintPrograms({ [name]: { class: 'read' } })).toHaveLength(1);
    expect(lintPrograms({ [name]: { class: 'unknown', subcommands: { x: { class: 'read' } } } })).toHaveLength(1);
    expect(lintPrograms({ [name]: { class: 'unknown' } })).toEqual([]);
  });

  it('throws with all issues', () => {
    try {
      parsePrograms({ x: {}, sudo: { class: 'read' } });
      expect.unreachable();
    } catch (error) {
      expect(isWarrantError(error, 'SHELL_PROGRAMS_INVALID')).toBe(true);
      expect(isWarrantError(error) && error.data).toMatchObject({
        issues: [{ pointer: '/x/class' }, { pointer: '/sudo', code: 'runs-programs' }],
      });
    }
  });
});
