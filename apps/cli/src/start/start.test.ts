import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hookEndCode } from './hook-end-code.ts';

const ENFORCE = ['hook', 'claude-code', '--mode', 'enforce', '--from', 'project'];
const OBSERVE = ['hook', 'claude-code', '--mode', 'observe', '--from', 'project'];

/** All programs here are as long as each other, so that one build starts them all. */
const LENGTH = 300;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'warrant-start-'));
  for (const [name, leastNode] of [
    ['start.cjs', '20.19'],
    ['start-old.cjs', '4000.0'],
  ] as const) {
    await build({
      entryPoints: [join(import.meta.dirname, 'start.ts')],
      outfile: join(folder, name),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      define: {
        LEAST_NODE: JSON.stringify(leastNode),
        PACK_INDEX: JSON.stringify(JSON.stringify({ 'main.js': [0, LENGTH] })),
        PACK_MAIN: '"main.js"',
        PACK_ID: '"one"',
      },
    });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program whose only part does this; `null` leaves its file out. */
function program(name: string, body: string | null, start = 'start.cjs'): string {
  const own = join(folder, name);
  mkdirSync(own);
  copyFileSync(join(folder, start), join(own, 'start.cjs'));
  const part = `(function(module,exports,require,__load,__moduleUrl,__import){${body}\n})`;
  if (body !== null) writeFileSync(join(own, 'warrant.pack'), part.padEnd(LENGTH));
  return join(own, 'start.cjs');
}

function ended(file: string, words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], { input: '{}', encoding: 'utf8' });
  return { status, out: stdout, error: stderr };
}

describe('a hook that gives no answer ends with what its mode asks for', () => {
  const cases: readonly (readonly [what: string, body: string | null, start?: string])[] = [
    ['its file is gone', null],
    ['a part cannot be read', 'exports.main = ('],
    ['a part cannot be loaded', 'require("no-such-package")'],
    ['it fails', 'exports.main = async () => { throw new Error("x"); }'],
    [
      'it fails later',
      'exports.main = () => { setTimeout(() => { throw new Error("x"); }, 1); return new Promise(() => {}); }',
    ],
    [
      'it fails where nobody waits',
      'exports.main = () => { Promise.reject(new Error("x")); return new Promise(() => {}); }',
    ],
    ['it comes to no end', 'exports.main = () => new Promise(() => {})'],
    ['nobody hears it', 'exports.main = () => process.exit()'],
    ['Node is too old', 'exports.main = async () => 0', 'start-old.cjs'],
  ];
  test.for(cases)('%s', ([what, body, start]) => {
    const file = program(what.replaceAll(' ', '-'), body, start);
    expect(ended(file, ENFORCE)).toMatchObject({ status: 2, out: '' });
    expect(ended(file, OBSERVE)).toMatchObject({ status: 0, out: '' });
  });
});

test('what runs ends with its own code', () => {
  const file = program('whole', 'exports.main = async (words) => words.length');
  expect(ended(file, ENFORCE).status).toBe(ENFORCE.length);
  expect(ended(file, ['a', 'b'])).toEqual({ status: 2, out: '', error: '' });
});

test('another command that fails shows where', () => {
  const file = program('other', 'exports.main = async () => { throw new Error("deep inside"); }');
  expect(ended(file, ['check'])).toMatchObject({ status: 1, error: expect.stringContaining('at exports.main') });
  const old = program('old', 'exports.main = async () => 0', 'start-old.cjs');
  const { status, error } = ended(old, ['check']);
  expect([status, error]).toEqual([
    1,
    expect.stringMatching(/^Warrant cannot run: it needs Node 4000\.0 or newer.*\n$/),
  ]);
});

test('the code follows the mode, wherever it stands', () => {
  const hook = ['hook', 'claude-code'];
  expect(hookEndCode(['check', 'read'])).toBeUndefined();
  expect(hookEndCode(['hook', 'status'])).toBeUndefined();
  expect(hookEndCode(hook)).toBe(0);
  expect(hookEndCode([...hook, '--mode', 'ask'])).toBe(2);
  expect(hookEndCode([...hook, '--mode=enforce'])).toBe(2);
  expect(hookEndCode([...hook, '--mode=observe'])).toBe(0);
  expect(hookEndCode(['-C', '/srv', ...hook, '--mode', 'enforce'])).toBe(2);
  expect(hookEndCode([...hook, '--mode', 'nonsense'])).toBe(2);
  expect(hookEndCode([...hook, '--mode'])).toBe(2);
});
