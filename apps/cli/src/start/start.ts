#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import type { main as Main } from '../bin/main.ts';
import type { StartNotes } from '../bin/start-notes.ts';
import { openCodeCache } from './code-cache.ts';
import { hookEndCode } from './hook-end-code.ts';
import { openPack, type PackIndex } from './pack.ts';

/** Set when the program is bundled. */
declare const PACK_INDEX: string;
declare const PACK_MAIN: string;
declare const PACK_ID: string;
declare const LEAST_NODE: string;

/** After longer runs the engine has let go of code that the start needs. */
const LONG_RUN_SECONDS = 10;

const words = process.argv.slice(2);
const unanswered = hookEndCode(words);
if (unanswered !== undefined) {
  // The client takes an end with 0 and no answer for leave: until there is one, no way to the end may be 0.
  process.exitCode = unanswered;
  process.once('uncaughtException', fail);
}
try {
  if (isOlder(process.versions.node, LEAST_NODE)) {
    endWith(`it needs Node ${LEAST_NODE} or newer, and this is ${process.versions.node}`);
  }
  run();
} catch (error) {
  fail(error);
}

function run(): void {
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  const name = `${PACK_ID}-${process.version}-${process.arch}-${shortSum(options)}`;
  const cache = openCodeCache(join(__dirname, 'compiled'), name);
  // As text, which the engine reads faster than code.
  const index = JSON.parse(PACK_INDEX) as PackIndex;
  const pack = openPack(join(__dirname, 'warrant.pack'), index, cache);
  pack.enter(unanswered === undefined ? 'start' : 'start hook');
  const { main } = pack.load(PACK_MAIN) as { readonly main: typeof Main };
  let isKnown = false;
  let left = false;
  const notes: StartNotes = {
    ran: (kind) => {
      if (!isKnown) pack.enter(kind);
      isKnown = true;
    },
    left: () => {
      left = true;
    },
  };
  main(words, notes).then((code) => {
    process.exitCode = code;
    const keeps = isKnown && process.uptime() < LONG_RUN_SECONDS;
    if (keeps && process.env['NODE_DISABLE_COMPILE_CACHE'] !== '1') pack.keep();
    // Windows writes to a terminal after the call returns, and would lose it.
    if (left && process.platform !== 'win32') process.exit();
  }, fail);
}

/** A fault of the program shows whole; who waits for a hook is told in one line. */
function fail(error: unknown): void {
  if (unanswered !== undefined) endWith(String(error));
  process.exitCode = 1;
  process.nextTick(() => {
    throw error;
  });
}

function endWith(why: string): never {
  try {
    writeSync(2, `Warrant cannot run: ${why}\n`);
  } catch {
    // Nobody reads it.
  }
  process.exit(unanswered ?? 1);
}

function isOlder(version: string, least: string): boolean {
  const wanted = least.split('.').map(Number);
  const parts = version.split('.').map(Number);
  const at = wanted.findIndex((part, index) => part !== parts[index]);
  return at !== -1 && (parts[at] as number) < (wanted[at] as number);
}

/** Other options of the engine make other code. */
function shortSum(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return (sum >>> 0).toString(36);
}
