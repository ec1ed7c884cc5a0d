import { clipText, isDeeper, type Json, type JsonObject, type Started } from '@warrant/core';
import { argumentText } from './call-key.ts';
import { type CallReading, contractOfCall, namingOf, readCall } from './classify.ts';
import type { ResolvedConfig, ToolContract } from './config-types.ts';
import { gateError } from './errors.ts';
import { DEEPEST_EXPECTATION, keptExpectation, LONGEST_EXPECTATION } from './expectation.ts';
import { isChanging, tookEffect } from './freshness.ts';
import { identifiersAt, valuesAt } from './identifiers.ts';
import { knows } from './memory.ts';
import { collapse, type Draft, draftOf } from './state.ts';
import { hashText, printed } from './text/hash.ts';
import { normalizedHash } from './text/normalize.ts';
import { hasToken } from './text/tokens.ts';
import { recordEnd } from './things.ts';
import type { Expectation, GateState, Obligation, RunningCall } from './types.ts';

/** Arguments kept for a contract or extractor, in characters of JSON. */
const LONGEST_ARGUMENTS = 4_096;
const MOST_TARGETS = 8;

/**
 * Takes note of a call that begins; a change opens its obligation here, so that one which never reports stays open.
 * @throws SUBMIT_GATE_CALL_OPEN when a call with this id is running.
 * @throws SUBMIT_GATE_SEQUENCE for a start that is no safe integer.
 * @throws SUBMIT_GATE_CONTRACT_INVALID for a stated expectation longer than 1,024 characters of JSON.
 */
export function started(config: ResolvedConfig, state: GateState, event: Started): GateState {
  const { call, startSeq } = event;
  if (!Number.isSafeInteger(startSeq))
    throw gateError('SUBMIT_GATE_SEQUENCE', 'a start that is no safe integer', { callId: call.id });
  if (state.running.some((item) => item.id === call.id) || state.open.some((item) => item.id === call.id)) {
    throw gateError('SUBMIT_GATE_CALL_OPEN', `a call '${call.id}' is open already`, { callId: call.id });
  }
  const { contract, variant } = contractOfCall(config, call);
  const reading = readCall(config, call, contract, event.effects);
  const text = argumentText(call.arguments);
  const running = runningCall(config, state, event, { reading, contract, text, variant });
  const next = draftOf(state);
  next.seq = Math.max(state.seq, startSeq);
  next.running = state.running.length === 0 ? [running] : [...state.running, running];
  if ((reading.kind === 'write' || reading.kind === 'run') && config.settings.obligations === 'per-mutation') {
    next.open = [...state.open, obligationOf(config, state, event, { reading, contract, key: running.key })];
    collapse(config, next);
  }
  keepWithinLimits(config, next);
  return next;
}

function keepWithinLimits(config: ResolvedConfig, state: Draft): void {
  let size = 0;
  for (const item of state.running) size += item.size;
  while (
    state.running.length > config.limits.running ||
    (size > config.limits.runningSize && state.running.length > 1)
  ) {
    size -= (state.running[0] as RunningCall).size;
    dropOldest(config, state);
  }
}

type Read = {
  readonly reading: CallReading;
  readonly contract: ToolContract;
  readonly text: string;
  readonly variant: string | undefined;
};

function runningCall(config: ResolvedConfig, state: GateState, event: Started, read: Read): RunningCall {
  const { call } = event;
  const { reading } = read;
  const extractor = config.extractors[call.tool];
  const keep = extractor !== undefined ? clipText(read.text, LONGEST_ARGUMENTS) : keptArguments(read);
  const targets =
    reading.targets === null || reading.targets.length <= MOST_TARGETS
      ? reading.targets
      : reading.targets.slice(0, MOST_TARGETS);
  let size = 160 + call.id.length + (keep === undefined ? 0 : read.text.length);
  for (const target of targets ?? []) size += target.length + 3;
  const running: { -readonly [Member in keyof RunningCall]: RunningCall[Member] } = {
    id: call.id,
    tool: call.tool,
    kind: reading.kind,
    from: event.startSeq,
    targets,
    size,
    key: callKey(config, call.tool, read.text),
    meets: extractor === undefined && meetsSurface(config, state, reading, read.text),
  };
  if (state.lastMutation !== null) running.after = state.lastMutation;
  if (reading.kind === 'write' && targets !== reading.targets) running.many = true;
  if (reading.lists) running.lists = true;
  if (keep !== undefined) running.args = keep;
  if (read.variant !== undefined) running.variant = read.variant;
  if (reading.rule !== undefined) running.rule = reading.rule;
  if (reading.signals !== undefined && reading.signals.length > 0) running.signals = reading.signals;
  if (reading.exact !== undefined) running.exact = reading.exact;
  if (reading.changes === true) running.changes = true;
  if (reading.keeps === true) running.keeps = true;
  return running;
}

function callKey(config: ResolvedConfig, tool: string, text: string): string {
  if (config.settings.novelty === 'exact') return printed(hashText(`${tool}|${text}`));
  const own = config.normalizers[tool];
  return printed(normalizedHash(`${tool}|`, own === undefined ? text : own.run(text)));
}

function keptArguments(read: Read): Json | undefined {
  if (read.contract.ownAnswer === undefined || read.text.length > LONGEST_ARGUMENTS) return undefined;
  return JSON.parse(read.text.startsWith('{') ? read.text : JSON.stringify({ $text: read.text })) as Json;
}

function meetsSurface(config: ResolvedConfig, state: GateState, reading: CallReading, text: string): boolean {
  if (config.settings.identifiers === 'tokens') {
    return config.surface.some((id) => hasToken(text, id)) || state.changed.some((id) => hasToken(text, id));
  }
  return reading.targets?.some((target) => config.surface.includes(target)) === true;
}

type Opening = { readonly reading: CallReading; readonly contract: ToolContract; readonly key: string };

function obligationOf(config: ResolvedConfig, state: GateState, event: Started, opening: Opening): Obligation {
  const { call, startSeq } = event;
  const { reading, contract } = opening;
  const expects = expectationOf(config, event, contract);
  const blind = blindTo(config, state, event, contract);
  const body = {
    id: call.id,
    tool: call.tool,
    key: opening.key,
    targets: reading.targets !== null && reading.targets.length > MOST_TARGETS ? null : reading.targets,
    ...(reading.gone.length > 0 && reading.gone.length <= MOST_TARGETS ? { gone: reading.gone } : {}),
    from: startSeq,
    ended: null,
    failed: false,
    ...(blind.length > 0 ? { blind } : {}),
    ...(expects === null ? {} : { expects }),
    redo: config.settings.failedMutations === 'redo',
    ...readBackOf(call.arguments, contract),
  };
  return { ...body, size: JSON.stringify(body).length + 160 };
}

function expectationOf(config: ResolvedConfig, event: Started, contract: ToolContract): Expectation | null {
  if (config.settings.expectations === 'ignored') return null;
  if (event.expects !== undefined) {
    const expects: Json = event.expects;
    if (isDeeper(expects, DEEPEST_EXPECTATION) || JSON.stringify(expects).length > 2 * LONGEST_EXPECTATION) {
      throw gateError(
        'SUBMIT_GATE_CONTRACT_INVALID',
        `an expectation longer than 1024 characters, or nested deeper than ${DEEPEST_EXPECTATION} levels`,
        { callId: event.call.id },
      );
    }
    return { type: 'stated', value: expects };
  }
  if (contract.expects === undefined) return null;
  const value = valuesAt(event.call.arguments, contract.expects.contains)[0];
  const replaces =
    contract.expects.replaces === undefined ? undefined : valuesAt(event.call.arguments, contract.expects.replaces)[0];
  if (typeof value !== 'string' || (value === '' && replaces === undefined)) return null;
  return keptExpectation({ type: 'derived', value, ...(typeof replaces === 'string' ? { replaces } : {}) });
}

function blindTo(config: ResolvedConfig, state: GateState, event: Started, contract: ToolContract): readonly string[] {
  if (contract.readBefore === undefined) return [];
  const needed = identifiersAt(event.call.arguments, contract.readBefore, namingOf(config, event.call));
  return needed.filter((name) => !knows(state, name)).slice(0, MOST_TARGETS);
}

function readBackOf(args: JsonObject, contract: ToolContract): Pick<Obligation, 'readBack'> {
  const wanted = contract.verifyWith;
  if (wanted === undefined) return {};
  const entries = Object.entries(wanted.arguments).map(([name, from]): [string, Json] => [
    name,
    from.startsWith('/') ? (valuesAt(args, from)[0] ?? null) : from,
  ]);
  const filled = { tool: wanted.tool, arguments: Object.fromEntries(entries) };
  return !isDeeper(filled, DEEPEST_EXPECTATION) && JSON.stringify(filled).length <= 2 * LONGEST_EXPECTATION
    ? { readBack: filled }
    : {};
}

/** A call that has run too long for the list is forgotten; if it is a change, its obligation can no longer be named. */
function dropOldest(config: ResolvedConfig, state: Draft): void {
  const oldest = state.running[0] as RunningCall;
  state.running = state.running.slice(1);
  // Whoever looked until now may have seen it half done.
  if (isChanging(oldest) && config.settings.obligations === 'per-mutation') {
    const until = (state.running.at(-1) as RunningCall).from - 1;
    recordEnd(state, until);
    tookEffect(config, state, oldest, until);
  }
  const open = state.open.filter((item) => item.id !== oldest.id);
  state.beyond += state.open.length - open.length;
  state.open = open;
}
