import { enter, moveBy } from './directories.ts';
import { type Frame, fork, merge, placeOf, type Scope } from './frame.ts';
import { programName } from './names.ts';
import type { Directories } from './paths.ts';
import { inputOf, redirectEffects } from './redirects.ts';
import { applySpec } from './rules/apply.ts';
import type { ProgramCall, Started } from './rules/call.ts';
import { runScript } from './script.ts';
import { createSink, type Sink, unknown } from './sink.ts';
import type { Node, Redirect, Script, SimpleCommand, Word } from './syntax/tree.ts';
import type { ProgramSpec } from './table/spec.ts';
import type { CommandWord } from './types.ts';
import { wrapperOf } from './wrappers/index.ts';
import { ORDINARY, type Unwrapped } from './wrappers/outcome.ts';

export type Walk = (node: Node, frame: Frame, scope: Scope) => Directories;

/** One simple command on its way through its wrappers. */
type Run = {
  readonly frame: Frame;
  readonly scope: Scope;
  readonly words: readonly Word[];
  readonly input: Redirect | null;
  readonly sink: Sink;
  readonly walk: Walk;
  readonly unclassified: boolean;
  /** True while the shell itself looks the name up: its functions come first. */
  readonly inShell: boolean;
};

/** Lists one simple command, what it does, and what its substitutions do. */
export function runSimple(node: SimpleCommand, frame: Frame, scope: Scope, walk: Walk): Directories {
  const before = node.inner.length > 0 ? fork(scope) : scope;
  const sink = createSink(placeOf(frame, scope));
  if (node.redirects.length > 0) redirectEffects(sink, node.redirects);
  const { words } = node;
  const first = words[0];
  const onlyRedirects = words.length === 1 && first?.text === 'exec' && node.redirects.length > 0;
  let failed = scope.directories;
  if (first === undefined || onlyRedirects) merge(frame.gathered, sink);
  else {
    const input = node.redirects.length === 0 ? null : inputOf(node.redirects);
    failed = run({ frame, scope, words, input, sink, walk, unclassified: false, inShell: true });
  }
  if (node.inner.length > 0) runInner(node.inner, frame, before, walk);
  return failed;
}

function runInner(scripts: readonly Script[], frame: Frame, scope: Scope, walk: Walk): void {
  for (const script of scripts) walk(script.node, { ...frame, viaSubstitution: true }, fork(scope));
}

function run(state: Run): Directories {
  const { words, sink, frame, scope } = state;
  const head = words[0];
  if (head === undefined) return scope.directories;
  if (head.text === null) {
    unknown(sink, 'dynamic-program', head);
    return emit(state);
  }
  const known = state.inShell ? scope.functions.get(head.text) : undefined;
  if (known === true) return emit(state, callsMove(state));
  const name = programName(head.text);
  if (name === null) {
    unknown(sink, 'local-program', head);
    return emit(state);
  }
  const outcome = state.unclassified ? ORDINARY : unwrap(state, name);
  if (outcome.type === 'ordinary') return ordinary(state, name, known === false);
  return follow(state, outcome, frame);
}

/** A function may move the shell. */
function callsMove(state: Run): Directories {
  const { scope, frame } = state;
  if (frame.moves()) scope.directories = null;
  return scope.directories;
}

function unwrap(state: Run, name: string): Unwrapped {
  const wrapper = wrapperOf(name);
  if (wrapper === undefined) return ORDINARY;
  const { words, input, sink } = state;
  return wrapper({ name, words, args: words.slice(1), input, sink });
}

/** Launchers in front of each other beyond this many are unknown. */
const MAX_LAUNCHERS = 64;
const IN_SHELL = new Set(['command', 'builtin', 'eval', 'time']);

function follow(state: Run, outcome: Exclude<Unwrapped, { type: 'ordinary' }>, frame: Frame): Directories {
  const { scope, sink } = state;
  const [head] = state.words;
  if (frame.wrappers.length >= MAX_LAUNCHERS && head !== undefined) {
    unknown(sink, 'too-deep', head);
    return emit({ ...state, words: [{ ...head, text: null, inner: [] }] });
  }
  const inner: Frame = {
    ...frame,
    wrappers: [...frame.wrappers, outcome.label],
    remote: frame.remote || outcome.remote === true,
  };
  if (outcome.type === 'opaque') {
    unknown(sink, outcome.code, outcome.cause);
    return emit({ ...state, frame: inner, words: [{ ...outcome.cause, text: null, inner: [] }] });
  }
  const stays = IN_SHELL.has(outcome.label);
  if (outcome.type === 'script') {
    merge(frame.gathered, sink);
    const { script } = outcome;
    const shares = script.sharesShell === true && outcome.directory === undefined;
    const own = enter(shares ? scope : fork(scope), outcome.directory, frame.gathered.home);
    const failed = runScript(script, inner, own, state.walk);
    return shares ? failed : scope.directories;
  }
  const moved = enter(stays ? scope : fork(scope), outcome.directory, frame.gathered.home);
  const next = outcome.keepsInput === false ? null : state.input;
  const place = placeOf(inner, moved);
  const after = run({
    ...state,
    frame: inner,
    scope: moved,
    words: outcome.words,
    input: next,
    sink: { ...sink, place },
    unclassified: state.unclassified || outcome.unclassified === true,
    inShell: false,
  });
  return stays ? after : scope.directories;
}

function ordinary(state: Run, name: string, maybeFunction: boolean): Directories {
  const { words, frame, scope } = state;
  const head = words[0];
  if (head === undefined) return scope.directories;
  const args = words.slice(1);
  const spec = frame.gathered.lookup(name);
  const starts: Started[] = [];
  if (!state.unclassified) judge(state, name, spec, { head, args, starts });
  const shellItself = state.inShell || IN_SHELL.has(frame.wrappers.at(-1) ?? '');
  const failed = shellItself && spec !== undefined ? moveBy(name, args, scope, frame.gathered.home) : scope.directories;
  if (name === 'unset') for (const { text } of args) forget(scope, text);
  if (maybeFunction) callsMove(state);
  emit(state);
  for (const started of starts) start(state, started);
  return failed;
}

function forget(scope: Scope, name: string | null): void {
  if (name === null) scope.functions.clear();
  else scope.functions.delete(name);
}

function judge(
  state: Run,
  name: string,
  spec: ProgramSpec | undefined,
  { head, args, starts }: { head: Word; args: readonly Word[]; starts: Started[] },
): void {
  const { sink, frame } = state;
  if (spec === undefined) {
    unknown(sink, 'unknown-program', head);
    return;
  }
  const call: ProgramCall = {
    name,
    own: head,
    args,
    spec,
    sink,
    input: state.input,
    names: frame.names,
    starts,
  };
  applySpec(call);
}

function start(state: Run, started: Started): void {
  const { frame, scope } = state;
  const inner: Frame = { ...frame, wrappers: [...frame.wrappers, started.label] };
  if ('script' in started) {
    runScript(started.script, inner, fork(scope), state.walk);
    return;
  }
  const own = started.directory === null ? { ...fork(scope), directories: null } : fork(scope);
  const sink = createSink(placeOf(inner, own));
  run({ ...state, frame: inner, scope: own, words: started.words, input: null, sink, inShell: false });
}

/** Puts the command on the list. */
function emit(state: Run, failed: Directories = state.scope.directories): Directories {
  const { frame, sink, words } = state;
  const { gathered, wrappers, viaSubstitution, remote } = frame;
  merge(gathered, sink);
  const argv: (string | null)[] = [];
  const spans: CommandWord[] = [];
  for (const word of words) {
    argv.push(word.text);
    spans.push({ text: word.text, span: frame.span(word.pos, word.end) });
  }
  const { reads, writes, deletes, unknowns, network } = sink;
  const kind = unknowns.length > 0 ? 'unknown' : sink.changes ? 'write' : 'read';
  gathered.commands.push({
    argv,
    words: spans,
    wrappers,
    viaSubstitution,
    remote,
    class: kind,
    changesState: sink.changesState,
    network,
    reads,
    writes,
    deletes,
    unknowns,
  });
  return failed;
}
