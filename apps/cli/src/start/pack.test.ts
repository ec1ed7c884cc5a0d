import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CodeCache, openCodeCache } from './code-cache.ts';
import { lazyBuiltin } from './lazy-builtin.ts';
import { openPack, type PackIndex } from './pack.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'warrant-pack-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const none: CodeCache = { find: () => undefined, keep: () => undefined };

function packOf(parts: Readonly<Record<string, string>>, cache = none) {
  const index: Record<string, readonly [number, number]> = {};
  let text = '';
  for (const [name, body] of Object.entries(parts)) {
    const part = `(function(module,exports,require,__load,__moduleUrl,__import){${body}\n})`;
    index[name] = [Buffer.byteLength(text), Buffer.byteLength(part)];
    text += part;
  }
  const path = join(folder, 'program.pack');
  writeFileSync(path, text);
  return openPack(path, index satisfies PackIndex, cache);
}

const seen = (): string[] => {
  const { ran } = globalThis as { ran?: string[] };
  return ran ?? [];
};

describe('a program in parts', () => {
  beforeEach(() => {
    (globalThis as { ran?: string[] }).ran = [];
  });

  test('runs a part once, with the first use of what it exports', () => {
    const { load } = packOf({
      'main.js':
        'var a=require("./a.js");ran.push("main");exports.early=()=>typeof a;exports.late=()=>a.value()+a.value();',
      'a.js': 'ran.push("a");exports.value=()=>"\\u00fc";',
    });
    const main = load('main.js') as { early: () => string; late: () => string };
    expect([main.early(), seen()]).toEqual(['object', ['main']]);
    expect([main.late(), seen()]).toEqual(['üü', ['main', 'a']]);
  });

  test('shows later values of what a part exports, and parts that need each other', () => {
    const { load } = packOf({
      'main.js': 'var a=require("./a.js");exports.count=()=>a.count;exports.up=()=>a.up();exports.base=2;',
      'a.js':
        'var m=require("./main.js");let n=0;Object.defineProperty(exports,"count",{get:()=>n,enumerable:true});exports.up=()=>{n+=m.base};',
    });
    const main = load('main.js') as { count: () => number; up: () => void };
    expect(main.count()).toBe(0);
    main.up();
    expect(main.count()).toBe(2);
  });

  test('runs a part at once where told so, and again after it threw', () => {
    const { load } = packOf({
      'main.js': '__load("./a.js");',
      'a.js': 'ran.push("a");if(ran.length===1)throw new Error("first")',
    });
    expect(() => load('main.js')).toThrow('first');
    load('main.js');
    expect(seen()).toEqual(['a', 'a']);
  });

  test('gives a part its own address', () => {
    const { load } = packOf({ 'main.js': 'exports.url=__moduleUrl;' });
    expect(load('main.js')).toEqual({ url: expect.stringMatching(/^file:\/\/.*\/chunks\/main\.js$/) });
  });
});

describe('compiled code', () => {
  const parts = {
    'main.js': 'var o=require("./other.js");ran.push("main");exports.two=()=>2;exports.three=()=>o.three();',
    'other.js': 'ran.push("other");exports.three=()=>3;',
    'rare.js': 'exports.four=()=>4;',
  };
  const folderOf = (): string => join(folder, 'compiled');
  const open = (): CodeCache => openCodeCache(folderOf(), 'one');
  type Main = { two: () => number; three: () => number };
  /** One run of a kind: what it uses, and what is kept of it then. */
  const run = (kind: string, use: (load: (name: string) => unknown) => unknown) => {
    const { load, enter, keep } = packOf(parts, open());
    enter(kind);
    const value = use(load);
    keep();
    const kept = open().find(kind);
    return { value, parts: kept?.parts, bytes: kept?.code?.length };
  };
  const both = (load: (name: string) => unknown): number => (load('main.js') as Main).three();

  beforeEach(() => {
    (globalThis as { ran?: string[] }).ran = [];
  });

  test('is kept of each kind of run: first what it uses, then that in one piece', () => {
    const used = ['main.js', 'other.js'];
    expect(run('a kind', both)).toEqual({ value: 3, parts: used, bytes: undefined });
    const whole = { value: 3, parts: used, bytes: expect.any(Number) };
    expect([run('a kind', both), run('a kind', both)]).toEqual([whole, whole]);
    expect(seen()).toEqual(['main', 'other', 'main', 'other', 'main', 'other']);
    expect(run('another', (load) => (load('main.js') as Main).two())).toEqual({ value: 2, parts: ['main.js'] });
    expect(readdirSync(folderOf())).toEqual(['one-a_kind', 'one-another']);
  });

  test('runs no part that a run does not use', () => {
    for (let at = 0; at < 2; at += 1) run('a', both);
    (globalThis as { ran?: string[] }).ran = [];
    expect(run('a', (load) => (load('main.js') as Main).two()).value).toBe(2);
    expect(seen()).toEqual(['main']);
  });

  test('grows by what a later run uses besides, and is not written again where nothing is new', () => {
    for (let at = 0; at < 3; at += 1) run('a', both);
    const file = join(folderOf(), 'one-a');
    const before = statSync(file).ino;
    run('a', both);
    expect(statSync(file).ino).toBe(before);
    const rare = (load: (name: string) => unknown) => both(load) + (load('rare.js') as { four: () => number }).four();
    const grown = ['main.js', 'other.js', 'rare.js'];
    expect(run('a', rare)).toEqual({ value: 7, parts: grown, bytes: undefined });
    expect(run('a', both)).toEqual({ value: 3, parts: grown, bytes: expect.any(Number) });
  });

  test('is of the kind that a part was first used in', () => {
    const { load, enter, keep } = packOf(parts, open());
    enter('start');
    const main = load('main.js') as Main;
    enter('a');
    main.three();
    keep();
    expect([open().find('start')?.parts, open().find('a')?.parts]).toEqual([['main.js'], ['other.js']]);
  });

  test('imports what is no part, as new code does', async () => {
    const file = join(folder, 'kit.mjs');
    writeFileSync(file, 'export const four = 4;');
    const importing = { 'main.js': 'exports.four=async(url)=>(await __import(url)).four;' };
    for (let at = 0; at < 3; at += 1) {
      const { load, enter, keep } = packOf(importing, open());
      enter('a');
      const main = load('main.js') as { four: (url: string) => Promise<number> };
      expect(await main.four(pathToFileURL(file).href)).toBe(4);
      keep();
    }
    expect(open().find('a')?.code).toBeInstanceOf(Buffer);
  });

  test('of parts that are no more is not taken', () => {
    for (let at = 0; at < 2; at += 1) run('a', both);
    const { load, enter } = packOf({ 'main.js': 'exports.two=()=>22;' }, open());
    enter('a');
    expect((load('main.js') as Main).two()).toBe(22);
  });

  test('is not taken from a file that is not whole', () => {
    for (let at = 0; at < 2; at += 1) run('a', both);
    const file = join(folderOf(), 'one-a');
    const whole = readFileSync(file);
    const header = whole.readUInt32LE(0) + 8;
    expect(open().find('a')?.code).toBeInstanceOf(Buffer);
    for (let length = 0; length < header; length += 7) {
      writeFileSync(file, whole.subarray(0, length));
      expect(open().find('a')).toBeUndefined();
    }
    for (let at = header + 32; at < whole.length - 128; at += 64) {
      writeFileSync(file, Buffer.from(whole).fill(0, at));
      expect(open().find('a')).toBeUndefined();
    }
    writeFileSync(file, whole.subarray(0, whole.length - 100));
    expect(open().find('a')).toBeUndefined();
    expect(run('a', both).value).toBe(3);
  });

  test('is not kept where nothing can be written', () => {
    writeFileSync(folderOf(), 'a file');
    expect(run('a', both)).toEqual({ value: 3 });
  });

  test('makes room for a new kind where there are many: the oldest goes', () => {
    mkdirSync(folderOf());
    for (let at = 0; at < 48; at += 1) writeFileSync(join(folderOf(), `one-kind_${at}`), '');
    utimesSync(join(folderOf(), 'one-kind_7'), 1, 1);
    open().keep('new', { parts: ['main.js'], code: undefined });
    expect(open().find('new')?.parts).toEqual(['main.js']);
    expect(readdirSync(folderOf())).not.toContain('one-kind_7');
    expect(readdirSync(folderOf())).toHaveLength(48);
  });
});

test("a module of Node's own is loaded with the first use, and then whole", () => {
  const asked: string[] = [];
  const os = lazyBuiltin('node:os', (name) => {
    asked.push(name);
    return process.getBuiltinModule(name);
  }) as typeof import('node:os');
  expect(asked).toEqual([]);
  expect(os.EOL).toBe('\n');
  expect(asked).toEqual(['node:os']);
  expect(Object.keys(os)).toContain('hostname');
  expect({ ...os }.hostname()).toBe(os.hostname());
  expect('nothing' in os).toBe(false);
});
