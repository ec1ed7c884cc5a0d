#!/usr/bin/env node
import { join } from 'node:path';
import type { main as Main } from '../bin/main.ts';
import type { StartNotes } from '../bin/start-notes.ts';
import { openCodeCache } from './code-cache.ts';
import { openPack, type PackIndex } from './pack.ts';

/** Set when the program is bundled. */
declare const PACK_INDEX: PackIndex;
declare const PACK_MAIN: string;
declare const PACK_ID: string;

/** After longer runs the engine has let go of code that the start needs. */
const LONG_RUN_SECONDS = 10;

const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
const cache = openCodeCache(
  join(__dirname, 'compiled'),
  `${PACK_ID}-${process.version}-${process.arch}-${shortSum(options)}`,
);
const pack = openPack(join(__dirname, 'warrant.pack'), PACK_INDEX, cache);
const { main } = pack.load(PACK_MAIN) as { readonly main: typeof Main };
let kind: string | undefined;
let left = false;
const notes: StartNotes = {
  ran: (told) => {
    kind = told;
  },
  left: () => {
    left = true;
  },
};
main(process.argv.slice(2), notes).then(
  (code) => {
    process.exitCode = code;
    const keeps = kind !== undefined && process.uptime() < LONG_RUN_SECONDS;
    if (keeps && process.env['NODE_DISABLE_COMPILE_CACHE'] !== '1') cache.keep(kind as string, pack.scripts);
    // Windows writes to a terminal after the call returns, and would lose it.
    if (left && process.platform !== 'win32') process.exit();
  },
  (error: unknown) => {
    process.exitCode = 1;
    process.nextTick(() => {
      throw error;
    });
  },
);

/** Other options of the engine make other code. */
function shortSum(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return (sum >>> 0).toString(36);
}
