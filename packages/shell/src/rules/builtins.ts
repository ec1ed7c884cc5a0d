import { change, part, touch, touchUnnamed, unknown } from '../sink.ts';
import { isSensitive } from '../syntax/context.ts';
import type { Word } from '../syntax/tree.ts';
import { assign, type ProgramCall } from './call.ts';

const NAME = /^[A-Za-z_]\w*/;

/** A subscript with a substitution is run when the name is used. */
function checkSubscript(call: ProgramCall, word: Word): void {
  const { text } = word;
  if (text?.includes('[') === true && /\$\(|`|\$\{/.test(text)) unknown(call.sink, 'subscript', word);
}

function assignTo(call: ProgramCall, word: Word): void {
  const name = NAME.exec(word.lead)?.[0];
  if (name === undefined) return;
  assign(call, name);
  if (isSensitive(name)) unknown(call.sink, 'sensitive-variable', word);
}

/** Builtins that give variables a value: the name itself may hold a subscript that runs something. */
export function variables(call: ProgramCall): void {
  const { name, args } = call;
  if (name === 'printf') return printfTo(call);
  if (name === 'let') return letAll(call);
  for (const word of args) checkSubscript(call, word);
  if (name === 'wait') return waitFor(call);
  if (name === 'unset') return;
  if (name === 'read') {
    const dynamic = args.find(({ text }) => text === null);
    if (dynamic !== undefined) unknown(call.sink, 'subscript', dynamic);
  }
  const callback = args.find(
    ({ text }) => name !== 'read' && name !== 'getopts' && text !== null && /^-[a-zA-Z]*C/.test(text),
  );
  if (callback !== undefined) unknown(call.sink, 'runs-code', callback);
  for (const word of args) if (!word.lead.startsWith('-')) assignTo(call, word);
}

function printfTo(call: ProgramCall): void {
  const { args } = call;
  const [first, second] = args;
  const target =
    first?.text === '-v'
      ? second
      : first?.text?.startsWith('-v') === true
        ? part(first, first.text.slice(2))
        : undefined;
  if (target === undefined) return;
  if (target.text === null) unknown(call.sink, 'subscript', target);
  checkSubscript(call, target);
  assignTo(call, target);
}

function letAll(call: ProgramCall): void {
  for (const word of call.args) {
    if (word.text === null || /[[$`]/.test(word.text)) unknown(call.sink, 'subscript', word);
    const name = NAME.exec(word.lead)?.[0];
    if (name !== undefined && isSensitive(name)) unknown(call.sink, 'sensitive-variable', word);
  }
}

function waitFor(call: ProgramCall): void {
  const at = call.args.findIndex(({ text }) => text !== null && /^-[a-z]*p/.test(text));
  const option = call.args[at];
  if (option === undefined) return;
  const dynamic = call.args.find(({ text }) => text === null);
  if (dynamic !== undefined) unknown(call.sink, 'subscript', dynamic);
  const target = call.args[at + 1];
  if (target !== undefined) assignTo(call, target);
}

/** `export`, `declare` and their relatives. */
export function declare(call: ProgramCall): void {
  const { name, args } = call;
  const declares = name !== 'export' && name !== 'readonly';
  for (const word of args) {
    const { text, lead } = word;
    checkSubscript(call, word);
    if (text !== null && /^[-+]/.test(text)) {
      if (declares && /^-[a-zA-Z]*[in]/.test(text)) unknown(call.sink, 'subscript', word);
      continue;
    }
    if (text === null && !/^[A-Za-z_]\w*(?:\[|\+?=)/.test(lead)) unknown(call.sink, 'subscript', word);
    const variable = NAME.exec(lead)?.[0];
    if (variable === undefined) continue;
    assign(call, variable);
    if (isSensitive(variable) && !(word.assignment === true)) unknown(call.sink, 'sensitive-variable', word);
  }
}

/** `test -v NAME` evaluates a subscript in the name. */
export function test(call: ProgramCall): void {
  const { args } = call;
  for (const [at, word] of args.entries()) {
    if (word.text !== '-v' && word.text !== '-R') continue;
    const target = args[at + 1];
    if (target === undefined) continue;
    if (target.text === null) unknown(call.sink, 'test-variable', target);
    else checkSubscript(call, target);
  }
}

const ONLY_LISTS = /^[-+][palrtnsvVPSA]{1,2}$/;

/** Builtins that change what a name means later. */
export function redefine(call: ProgramCall): void {
  const found = call.args.find(({ text }) => text === null || !ONLY_LISTS.test(text));
  if (found !== undefined) unknown(call.sink, 'runs-code', found);
}

/** A sourced file runs in the same shell. */
export function source(call: ProgramCall): void {
  const [file] = call.args;
  if (file !== undefined) touch(call.sink, 'reads', file);
  unknown(call.sink, 'script', file ?? call.own);
}

/** `-w` and `-a` write the list to a file, `-c` and `-d` only change it in memory. */
export function history(call: ProgramCall): void {
  const at = call.args.findIndex(({ text }) => text !== null && /^-[a-z]*[wa]/.test(text));
  if (at === -1) return;
  const file = call.args[at + 1];
  if (file === undefined) touchUnnamed(call.sink, 'writes', call.own);
  else touch(call.sink, 'writes', file);
  change(call.sink);
}
