import type { Json } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { type Claim, createGate, type GateConfig } from '../src/index.ts';

/*
 * The specification: what may be claimed after a history of calls, worked out from the documents by someone who had not
 * read the gate's code. It keeps every call with the places where it began and ended, and asks each question of the whole
 * history. An item is `a`, `b`, or `*` where nobody knows what is touched; a check is a look at `*`.
 * Where the documents are silent it follows the gate: a passing check shows whatever changed before it began, though it
 * meets no change of a known item; a look at something changed counts for a completion also while another change of it
 * runs that was reported; `unverified` takes back what was verified only when it had something to report.
 */
type Call = {
  readonly kind: string;
  readonly item: string;
  readonly from: number;
  readonly end: number;
  readonly how?: string;
};
type World = {
  readonly budget: number;
  readonly calls: readonly Call[];
  /** Where this turn began, where `unverified` was accepted last, and where it last had something to report. */
  readonly turn: number;
  readonly reported: number;
  readonly voided: number;
};
type Rules = { readonly cap: number; readonly refill: number; readonly goals: readonly string[] };
const RUNS = Number.POSITIVE_INFINITY;

const changesIn = ({ calls }: World) => calls.filter(({ kind, how }) => kind === 'write' && how !== 'not-run');
const looksIn = ({ calls }: World) => calls.filter(({ kind, how }) => kind === 'read' && how === 'ok');
const sees = (look: Call, change: Call) => look.item === change.item && look.from > change.end;
const touches = (change: Call, item: string) => change.item === item || change.item === '*' || item === '*';
/** It began after every change of what it shows had ended. */
const isFresh = (world: World, { item, from }: Call) =>
  changesIn(world).every((change) => change.end < from || !touches(change, item));
const isOpen = (world: World, change: Call) =>
  world.reported < (change.end === RUNS ? change.from : change.end) &&
  !looksIn(world).some((look) => sees(look, change));
/** An answer is new once a turn, and again after each change that ended and each report. */
const isNew = (world: World, look: Call) =>
  look.item === '*' ||
  !looksIn(world)
    .filter(({ item, end }) => item === look.item && end > Math.max(world.turn, world.voided) && end < look.end)
    .some(({ from }) => !changesIn(world).some(({ end }) => end > from && end < look.from));
const showsChange = (world: World, look: Call) => {
  const ended = changesIn(world).filter(({ item, end }) => item === look.item && end !== RUNS);
  if (look.item === '*' && changesIn(world).length > 0 && isFresh(world, look)) return true;
  return ended.length > 0 && ended.every((change) => sees(look, change));
};
const accepts = (world: World, claim: string, { goals }: Rules): boolean => {
  const looks = looksIn(world).filter(({ end }) => end > world.turn);
  const isShown = looks.some((look) => isFresh(world, look));
  if (claim === 'unverified' || claim === 'none') return true;
  if (world.budget <= 0) return false;
  if (claim === 'assertion') return isShown;
  if (claim === 'about-a') return isShown && looksIn(world).some((look) => look.item === 'a' && isFresh(world, look));
  if (claim === 'negative')
    return isShown || world.calls.some(({ end, how }) => end > world.turn && (how === 'empty' || how === 'error'));
  if (claim !== 'completion' || changesIn(world).some((change) => isOpen(world, change))) return false;
  const fails = world.calls.filter(({ kind, item, how }) => kind === 'read' && item === '*' && how === 'error');
  const passes = looksIn(world).filter((look) => look.item === '*' && isFresh(world, look));
  if (goals.length > 0 && !passes.some((pass) => fails.every((fail) => fail.end < pass.end))) return false;
  return looks.some((look) => look.end > world.voided && showsChange(world, look));
};
/** `turn`, `reason`, `submit CLAIM`, `start KIND ITEM`, or `end OUTCOME NUMBER` of the call with that number. */
const next = (world: World, event: string, at: number, rules: Rules): World => {
  const [verb, word = '', which = ''] = event.split(' ');
  const { budget, calls } = world;
  if (verb === 'turn') return { ...world, turn: at, budget: rules.cap };
  if (verb === 'start') return { ...world, calls: [...calls, { kind: word, item: which, from: at, end: RUNS }] };
  if (verb === 'end') {
    const ended = calls.map((call, index) => (index === Number(which) ? { ...call, end: at, how: word } : call));
    const look = looksIn({ ...world, calls: ended }).find(({ end }) => end === at);
    const refill = look !== undefined && isNew({ ...world, calls: ended }, look) ? rules.refill : 0;
    return { ...world, calls: ended, budget: Math.min(rules.cap, budget + refill) };
  }
  if (verb === 'reason' || !accepts(world, word, rules)) return { ...world, budget: Math.max(0, budget - 1) };
  if (word !== 'unverified') return world;
  return { ...world, reported: at, voided: changesIn(world).some((call) => isOpen(world, call)) ? at : world.voided };
};

const CLAIMS: { readonly [name: string]: Claim } = {
  completion: { type: 'completion' },
  assertion: { type: 'assertion' },
  'about-a': { type: 'assertion', about: ['a.cfg'] },
  negative: { type: 'assertion', stance: 'negative' },
  unverified: { type: 'unverified' },
  none: { type: 'none' },
  Completion: { type: 'Completion' },
};
const TOOLS: NonNullable<GateConfig['tools']> = {
  'read a': { kind: 'read', targets: ['/path'] },
  'read b': { kind: 'read', targets: ['/path'] },
  'read *': { kind: 'check', signals: ['report'] },
  'write a': { kind: 'write', targets: ['/path'] },
  'write b': { kind: 'write', targets: ['/path'] },
  'write *': { kind: 'write' },
};
const ANSWERS: { readonly [what: string]: Json } = {
  'read a ok': 'timeout=30',
  'read b ok': 'retries=3',
  'read * ok': 'all passed',
  'read * error': 'two failed',
  'read a empty': '',
  'read a error': 'no such file',
};
const report = (result: Json) => ({
  passed: result === 'all passed' ? ['tests_passed'] : [],
  failed: result === 'two failed' ? ['tests_passed'] : [],
});

/** Numbers below `limit` that look random and are the same in every run. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Run = { readonly compared: number; readonly faults: string[] };
/** All sequences of the events, or as many random ones as `walks` says. */
function compare(events: readonly string[], rules: Rules, length: number, walks = 0): Run {
  const gate = createGate({ ...rules, tools: TOOLS, mappers: [{ name: 'report', map: report }] });
  type State = typeof gate.initial;
  const faults: string[] = [];
  let compared = 0;
  const step = (state: State, event: string, at: number, calls: readonly Call[]): State => {
    const [verb, word = '', which = ''] = event.split(' ');
    if (verb === 'turn') return gate.beginTurn(state);
    if (verb === 'reason') return gate.reason(state);
    if (verb === 'submit') return gate.submit(state, CLAIMS[word] ?? { type: word }).state;
    if (verb === 'start') {
      const call = {
        id: `c${calls.length}`,
        tool: `${word} ${which}`,
        arguments: which === '*' ? {} : { path: `${which}.cfg` },
      };
      return gate.start(state, { call, startSeq: at, effects: gate.effectsOf(call) });
    }
    const { kind, item } = calls[Number(which)] ?? { kind: '', item: '' };
    const outcome = word === 'not-run' || (word === 'error' && kind + item !== 'read*') ? word : 'ok';
    const result = ANSWERS[`${kind} ${item} ${word}`] ?? (word === 'ok' ? 'stored' : 'the disk is full');
    return gate.observe(state, { callId: `c${which}`, endSeq: at, outcome, result });
  };
  /** What an event of the alphabet is for these calls: `read a ok` begins and ends, `end ok` ends the call that runs longest. */
  const partsOf = (event: string, calls: readonly Call[]): readonly string[] => {
    const [kind = '', item = '', how = ''] = event.split(' ');
    if (how !== '' && kind !== 'start') return [`start ${kind} ${item}`, `end ${how} ${calls.length}`];
    return kind === 'end' ? [`${event} ${calls.findIndex(({ end }) => end === RUNS)}`] : [event];
  };
  const roll = dice(walks);
  const visit = (path: readonly string[], state: State, world: World): void => {
    for (const [name, claim] of Object.entries(CLAIMS)) {
      compared += 1;
      const verdict = gate.submit(state, claim).verdict.type;
      if ((verdict === 'accepted') !== accepts(world, name, rules))
        faults.push(`${path.join(', ')}: ${name} is ${verdict}`);
    }
    if (path.length === length || faults.length > 99) return;
    const possible = events.filter((event) => partsOf(event, world.calls)[0]?.endsWith('-1') !== true);
    for (const event of walks === 0 ? possible : possible.splice(roll(possible.length), 1)) {
      const parts = partsOf(event, world.calls);
      let [to, spec, at] = [state, world, path.length * 2 + 1];
      for (const part of parts) {
        to = step(to, part, at, spec.calls);
        spec = next(spec, part, at, rules);
        at += 1;
      }
      visit([...path, event], to, spec);
    }
  };
  const start: World = { budget: rules.cap, calls: [], turn: 0, reported: 0, voided: 0 };
  for (let left = Math.max(1, walks); left > 0; left -= 1) visit([], gate.initial, start);
  return { compared, faults: faults.sort((one, other) => one.split(',').length - other.split(',').length) };
}

const MAIN = [
  'turn',
  'start write a',
  'start read a',
  'end ok',
  'write b ok',
  'read a ok',
  'read b ok',
  'read a error',
  'submit completion',
  'submit unverified',
];
const CHECKS = [
  'write * ok',
  'read * ok',
  'start write *',
  'start read a',
  'start read *',
  'end ok',
  'end not-run',
].concat('read a ok', 'submit unverified');
const WIDE = [...new Set([...MAIN, ...CHECKS])].concat(
  'write a error',
  'write a not-run',
  'read a empty',
  'read * error',
  'end error',
  'reason',
);

describe('the gate against a specification by someone who had not read it', () => {
  const soak = Boolean(process.env['WARRANT_SOAK']);
  const forms = [
    { events: MAIN, rules: { cap: 6, refill: 2, goals: [] }, length: soak ? 7 : 4 },
    { events: MAIN, rules: { cap: 2, refill: 1, goals: [] }, length: soak ? 7 : 4 },
    { events: CHECKS, rules: { cap: 6, refill: 2, goals: [] }, length: soak ? 6 : 4 },
    { events: WIDE, rules: { cap: 2, refill: 1, goals: ['tests_passed'] }, length: soak ? 5 : 3 },
  ];

  it('agrees on every claim after every sequence', { timeout: 7_200_000 }, () => {
    for (const { events, rules, length } of forms) {
      const run = compare(events, rules, length);
      expect(run.faults.slice(0, 20)).toEqual([]);
      expect(run.compared).toBeGreaterThan(events.length ** (length - 1));
    }
  });

  it('agrees on every claim along long sequences', { timeout: 7_200_000 }, () => {
    for (const { events, rules } of forms) {
      const run = compare(events, rules, 14, soak ? 50_000 : 500);
      expect(run.faults.slice(0, 20)).toEqual([]);
      expect(run.compared).toBeGreaterThan(7_000);
    }
  });
});
