import { isDeeper, type Json, type JsonObject, MAX_JSON_DEPTH, toWellFormed } from '@warrant/core';
import { answerText, shownText, structured } from './answer-text.ts';
import { contractOf, namingOf } from './classify.ts';
import type {
  NamedExtractor,
  PostconditionAnswer,
  ResolvedConfig,
  SignalReading,
  ToolContract,
} from './config-types.ts';
import { evidenceOf } from './evidence.ts';
import { checkExpectation } from './expectation.ts';
import { identifiersAt, isWithin, mentions, type Naming } from './identifiers.ts';
import { checkedNothing, readSignals, TEST_REPORTS } from './signals/mappers.ts';
import { jsonText } from './text/json-text.ts';
import { normalizedHash } from './text/normalize.ts';
import { codeHashes, hasToken } from './text/tokens.ts';
import type {
  ExpectationAnswer,
  GateState,
  Obligation,
  ObservationFacts,
  RecordedObservation,
  RunningCall,
} from './types.ts';

/** Codes remembered of one answer. */
const CODES_AN_ANSWER = 500;

const NOTHING: readonly never[] = Object.freeze([]);
const NO_SIGNALS: SignalReading = Object.freeze({ passed: NOTHING, failed: NOTHING });
/** Reports of tools that print nothing when all is well. */
const QUIET: ReadonlyMap<string, string> = new Map([
  ['types_passed', 'tsc'],
  ['lint_passed', 'eslint'],
]);
const NO_EXPECTATIONS: ObservationFacts['expectations'] = Object.freeze({});

/** All that a step may read from an answer, as its record keeps it. */
export function factsOf(
  config: ResolvedConfig,
  state: GateState,
  call: RunningCall,
  event: RecordedObservation,
): ObservationFacts {
  if (event.facts !== undefined) return event.facts;
  const facts = readFacts(config, state, call, event);
  return { ...facts, codes: codesOf(config, state, event, facts.evidence) };
}

/** Facts without the codes: most answers that are known already need none. */
export type ReadFacts = Omit<ObservationFacts, 'codes'>;

/** Hashes of the codes that an answer shows; an error or an empty answer shows none. */
export function codesOf(
  config: ResolvedConfig,
  state: GateState,
  event: RecordedObservation,
  evidence: ObservationFacts['evidence'],
): string {
  if (event.facts !== undefined) return event.facts.codes;
  if (config.settings.unseenCodes === 'ignore' || state.codesFull || evidence !== 'positive') return '';
  return codeHashes(answerText(event.result), CODES_AN_ANSWER);
}

/** What a step reads from every answer; taken from the record where it is there. */
export function readFacts(
  config: ResolvedConfig,
  state: GateState,
  call: RunningCall,
  event: RecordedObservation,
): ReadFacts {
  if (event.facts !== undefined) return event.facts;
  const contract = contractOf(config, call);
  const text = answerText(event.result);
  const naming = namingOf(config);
  const evidence =
    config.settings.evidence === 'any'
      ? event.outcome === 'error'
        ? 'error'
        : 'positive'
      : evidenceOf(event, contract);
  const signals = signalsOf(config, call, event);
  return {
    evidence,
    novelty: noveltyKey(config, call, text),
    mentions: mentioned(config, state, call, text, naming),
    shows: shown(config, state, call, { event, text, naming, contract }),
    passed: signals.passed,
    failed: signals.failed,
    own: ownAnswer(config, call, event, contract),
    expectations: expectations(state, call, event),
  };
}

function noveltyKey(config: ResolvedConfig, call: RunningCall, text: string): number {
  if (call.kind !== 'read' && config.settings.obligations === 'per-mutation') return 0;
  const own = config.normalizers[call.tool];
  return normalizedHash(`${call.key}|`, own === undefined ? text : unlessThrown(() => own.run(text), text));
}

/** The call has happened and must be noted: a function of the config that throws has said nothing. */
function unlessThrown<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

function extracted(extractor: NamedExtractor, call: RunningCall, text: string): ReadonlySet<string> {
  return unlessThrown(() => {
    const found = extractor.run(typeof call.args === 'string' ? call.args : '', text);
    return new Set(typeof found === 'string' ? [found] : found);
  }, new Set<string>());
}

/** Identifiers of the surface and of open obligations that the answer names. */
function mentioned(
  config: ResolvedConfig,
  state: GateState,
  call: RunningCall,
  text: string,
  naming: Naming,
): readonly string[] {
  if (config.settings.identifiers === 'tokens') return tokensMentioned(config, state, call, text);
  if (call.kind !== 'read') return NOTHING;
  const folders = call.targets ?? NOTHING;
  const onSurface = config.surface.filter((id) => !folders.includes(id) && mentions(text, id, naming, folders));
  if (folders.length === 0 || (state.changed.length === 0 && state.open.length === 0)) return onSurface;
  if (contractOf(config, call).exactly === true) return onSurface;
  const found = new Set(onSurface);
  const wanted = [...state.changed, ...state.open.flatMap((item) => item.targets ?? [])];
  for (const id of wanted) {
    if (
      !found.has(id) &&
      folders.some((folder) => folder !== id && isWithin(id, folder)) &&
      mentions(text, id, naming, folders)
    )
      found.add(id);
  }
  return [...found];
}

/**
 * What the tool's contract, or its extractor in its place, says that the answer shows. A name that an extractor gives
 * stands for what has that name wherever it lies.
 */
function shown(
  config: ResolvedConfig,
  state: GateState,
  call: RunningCall,
  answer: {
    readonly event: RecordedObservation;
    readonly text: string;
    readonly naming: Naming;
    readonly contract: ToolContract;
  },
): readonly string[] {
  const { event, text, naming } = answer;
  const { shows } = answer.contract;
  const extractor = config.settings.identifiers === 'typed' ? config.extractors[call.tool] : undefined;
  if (extractor === undefined)
    return shows === undefined ? NOTHING : identifiersAt(structured(event.result), shows, naming);
  if (call.kind !== 'read') return NOTHING;
  const names = extracted(extractor, call, text);
  const wanted = [...config.surface, ...state.changed, ...state.open.flatMap((item) => item.targets ?? [])];
  return [...new Set(wanted)].filter((id) => names.has(id) || names.has(id.slice(id.lastIndexOf('/') + 1)));
}

function tokensMentioned(config: ResolvedConfig, state: GateState, call: RunningCall, text: string): readonly string[] {
  const surface = [...config.surface, ...state.changed];
  const extractor = config.extractors[call.tool];
  if (extractor === undefined) return surface.filter((id) => hasToken(text, id));
  const ids = extracted(extractor, call, text);
  return surface.filter((id) => ids.has(id));
}

function signalsOf(config: ResolvedConfig, call: RunningCall, event: RecordedObservation): SignalReading {
  if (event.outcome === 'not-run' || call.kind === 'read' || call.kind === 'neutral') return NO_SIGNALS;
  const declared = contractOf(config, call).signals ?? [];
  const reports = call.kind === 'run' || call.kind === 'check' ? TEST_REPORTS : [];
  // A type checker or linter that is silent says nothing unless it was asked by name.
  const quiet = (call.signals ?? NOTHING).flatMap((signal) => QUIET.get(signal) ?? []);
  const reading = readSignals(config.mappers, [...declared, ...reports, ...quiet], event.result, event.outcome);
  if (call.kind !== 'check' || call.signals === undefined || reading.failed.length > 0) return reading;
  // What stands for an exit code, or for silence, is no pass of a check that checked nothing.
  return checkedNothing(event.result) ? { passed: NOTHING, failed: call.signals } : reading;
}

function ownAnswer(
  config: ResolvedConfig,
  call: RunningCall,
  event: RecordedObservation,
  contract: ToolContract,
): PostconditionAnswer | null {
  if (event.outcome !== 'ok') return null;
  if (call.rule !== undefined) {
    const rule = config.commands.find((item) => item.ownAnswer?.name === call.rule);
    const shown = shownText(event.result).slice(0, 65_536);
    return rule?.ownAnswer?.pattern.test(shown) === true
      ? { type: 'holds' }
      : { type: 'unknown', message: 'the answer does not show the result' };
  }
  if (contract.ownAnswer === undefined) return null;
  if (call.args === undefined) return { type: 'unknown', message: 'the arguments are too large to check against' };
  const value: Json = contract.result === 'json' ? structured(event.result) : event.result;
  const { check } = contract.ownAnswer;
  return unlessThrown(() => check(call.args as JsonObject, value), { type: 'unknown', message: 'the check failed' });
}

function expectations(
  state: GateState,
  call: RunningCall,
  event: RecordedObservation,
): { readonly [obligation: string]: ExpectationAnswer } {
  if (call.kind !== 'read' || state.open.length === 0) return NO_EXPECTATIONS;
  const answers: Record<string, ExpectationAnswer> = {};
  for (const item of state.open) {
    if (item.expects !== undefined && couldMeet(item, call, event))
      answers[item.id] = checkExpectation(event.result, item.expects);
  }
  return answers;
}

/** True when the look began after the change ended and is of it, at least of a folder around it. */
export function couldMeet(item: Obligation, call: RunningCall, event: RecordedObservation): boolean {
  if (item.ended === null || call.from <= item.ended) return false;
  if (event.readBackOf === item.id) return true;
  return item.targets?.some((target) => call.targets?.some((seen) => isWithin(target, seen)) === true) === true;
}

const INLINE = 16_384;
/** Levels that a record has around a result. */
const ABOVE = 8;
const KEPT = 8_192;

/**
 * The observation as a record holds it: text made well-formed, text over 16 KiB as its first and last 8 KiB, with the facts taken
 * from the whole. `digest` names the whole.
 */
export function recordedObservation(
  event: RecordedObservation,
  facts: ObservationFacts,
  digest: (text: string) => `sha256:${string}`,
): RecordedObservation {
  const { result } = event;
  const text = typeof result === 'string' ? result : jsonText(result);
  if (text.length <= INLINE && !isDeeper(result, MAX_JSON_DEPTH - ABOVE)) {
    return typeof result === 'string' ? { ...event, result: toWellFormed(text) } : event;
  }
  const whole = toWellFormed(text);
  const cut = text.length <= INLINE ? whole : toWellFormed(`${whole.slice(0, KEPT)}\n…\n${whole.slice(-KEPT)}`);
  return { ...event, result: cut, full: { digest: digest(whole), bytes: Buffer.byteLength(whole) }, facts };
}
