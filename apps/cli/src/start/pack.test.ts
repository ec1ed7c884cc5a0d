import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
      'a.js': 'ran.push("a");exports.value=()=>"ü";',
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
  const parts = { 'main.js': 'exports.two=()=>2;', 'other.js': 'exports.three=()=>3;' };
  const compiled = (): string => join(folder, 'compiled');
  const open = (): CodeCache => openCodeCache(compiled(), 'one');

  test('is kept of every kind of run, and found by the next', () => {
    const first = packOf(parts, open());
    expect((first.load('main.js') as { two: () => number }).two()).toBe(2);
    open().keep('a', first.scripts);
    expect([open().find('main.js'), open().find('other.js')]).toEqual([expect.any(Buffer), undefined]);
    const second = packOf(parts, open());
    second.load('other.js');
    open().keep('b', second.scripts);
    const third = packOf(parts, open());
    for (const name of Object.keys(parts)) third.load(name);
    expect([...third.scripts.values()].map((script) => script.cachedDataRejected)).toEqual([false, false]);
    expect(readdirSync(compiled())).toEqual(['one']);
  });

  test('imports what is no part, as new code does', async () => {
    const file = join(folder, 'kit.mjs');
    writeFileSync(file, 'export const four = 4;');
    const importing = { 'main.js': 'exports.four=async(url)=>(await __import(url)).four;' };
    const first = packOf(importing, open());
    first.load('main.js');
    open().keep('a', first.scripts);
    const second = packOf(importing, open());
    const main = second.load('main.js') as { four: (url: string) => Promise<number> };
    expect(second.scripts.get('main.js')?.cachedDataRejected).toBe(false);
    expect(await main.four(pathToFileURL(file).href)).toBe(4);
  });

  test('is not written again for a kind that is known', () => {
    const { load, scripts } = packOf(parts, open());
    load('main.js');
    open().keep('a', scripts);
    const before = readFileSync(join(compiled(), 'one'));
    load('other.js');
    open().keep('a', scripts);
    expect(readFileSync(join(compiled(), 'one')).equals(before)).toBe(true);
  });

  test('is not taken from a file that is not whole', () => {
    const { load, scripts } = packOf(parts, open());
    load('main.js');
    open().keep('a', scripts);
    const whole = readFileSync(join(compiled(), 'one'));
    const header = whole.readUInt32LE(0) + 8;
    for (let length = 0; length < header; length += 7) {
      writeFileSync(join(compiled(), 'one'), whole.subarray(0, length));
      expect(open().find('main.js')).toBeUndefined();
    }
    for (let at = header + 32; at < whole.length - 128; at += 64) {
      writeFileSync(join(compiled(), 'one'), Buffer.from(whole).fill(0, at));
      expect(open().find('main.js')).toBeUndefined();
    }
    writeFileSync(join(compiled(), 'one'), whole.subarray(0, whole.length - 100));
    expect(open().find('main.js')).toBeUndefined();
  });

  test('is not kept where nothing can be written', () => {
    writeFileSync(compiled(), 'a file');
    const { load, scripts } = packOf(parts, open());
    load('main.js');
    open().keep('a', scripts);
    expect(open().find('main.js')).toBeUndefined();
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
