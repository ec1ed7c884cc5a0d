import { type ChartFault, type ChartIr, type PlaceOf, parseDelay, type StateIr } from '@warrant/chart';
import { type Extension, isWarrantError } from '@warrant/core';
import { type Said, saidBy, wordsOf } from './extensions.ts';

/** How a decide state is decided. */
export type DecideBinding = {
  /** The state's id, or the name the chart gives it by its place. */
  readonly state: string;
  readonly decider: string;
  /** Event descriptors; null when every enabled event may be offered. */
  readonly candidates: readonly string[] | null;
  readonly deadlineMs: number | null;
  readonly fallback: string | null;
  readonly maxDecisions: number | null;
  readonly path: string;
};

export type ReadBindings = { readonly bindings: readonly DecideBinding[]; readonly faults: readonly ChartFault[] };

const NAMES = ['decide', 'candidates', 'deadline', 'fallback', 'maxDecisions'] as const;
const MAX_BOUND = 1_000_000;

/** Finds the decide states of a chart and what is wrong with them, with JSON Pointers into the chart. */
export function readBindings(chart: ChartIr, placeOf?: PlaceOf): ReadBindings {
  const bindings: DecideBinding[] = [];
  const faults: ChartFault[] = [];
  eachState(chart, (state, id, path) => {
    const read = readBinding(state, id, path);
    if (read.binding !== undefined) bindings.push(read.binding);
    faults.push(...read.faults.map((fault) => ({ ...placeOf?.(fault.path), ...fault })));
  });
  return { bindings, faults };
}

/** Visits all states in document order, with the names that a compiled chart gives them. */
export function eachState(chart: ChartIr, visit: (state: StateIr, id: string, path: string) => void): void {
  let index = 0;
  const walk = (states: readonly StateIr[], parent: string): void => {
    for (const [place, state] of states.entries()) {
      index += 1;
      const path = `${parent}/states/${place}`;
      visit(state, state.id ?? `#${index}`, path);
      walk(state.states, path);
    }
  };
  walk(chart.states, '');
}

type Read = { readonly binding?: DecideBinding; readonly faults: readonly ChartFault[] };

function readBinding(state: StateIr, id: string, path: string): Read {
  const own = decideExtensions(state.extensions);
  if (own.length === 0) return { faults: [] };
  const faults: ChartFault[] = [];
  const fault = (code: string, message: string) => faults.push({ code, path, message });
  const said = saidBy(own);
  if (said.namespaces.size > 1) fault('decide-namespaces', 'a decide state speaks in one namespace, not in both');
  else for (const name of saidTwice(own)) fault('decide-twice', `a decide state says '${name}' once`);
  const texts = textsOf(said, fault);
  const decider = texts.get('decide')?.trim();
  if (decider === undefined) fault('decide-binding', 'a decide state names its decider');
  else if (decider === '') fault('decide-binding', 'the decider of a decide state is empty');
  else if (/\s/.test(decider)) fault('decide-binding', 'a decider is one word');
  if (state.type !== 'state')
    fault('decide-state', `a ${state.type} decides nothing: only an atomic or compound state does`);
  const fallback = texts.get('fallback')?.trim() ?? null;
  if (fallback === '' || /\s/.test(fallback ?? '')) fault('decide-fallback', 'a fallback is one word');
  const candidates = texts.has('candidates') ? wordsOf(texts.get('candidates')) : null;
  if (candidates?.length === 0) fault('decide-candidates', 'the list of candidates is empty');
  const deadlineMs = deadlineOf(texts.get('deadline'), fault);
  const maxDecisions = boundOf(texts.get('maxDecisions'), fault);
  if (faults.length > 0) return { faults };
  return {
    binding: { state: id, decider: decider as string, candidates, deadlineMs, fallback, maxDecisions, path },
    faults,
  };
}

const NOTHING: readonly Extension[] = [];

/** Only what belongs to the binding: a state may say other things in either namespace. */
function decideExtensions(extensions: readonly Extension[] | undefined): readonly Extension[] {
  const said = (extensions ?? NOTHING).filter(({ local }) => (NAMES as readonly string[]).includes(local));
  return said.filter((one) => saidBy([one]).namespaces.size > 0);
}

/** One document may say the same thing twice where it is a list, such as YAML: which of them counts nobody could tell. */
function saidTwice(own: readonly Extension[]): readonly string[] {
  const names = own.filter((one) => 'attribute' in one).map(({ local }) => local);
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

/** Attributes, or the attributes of one element `decide`. */
function textsOf(said: Said, fault: (code: string, message: string) => void): ReadonlyMap<string, string> {
  const elements = said.elements.filter(({ local }) => local === 'decide');
  const [element] = elements;
  if (element === undefined) return said.texts;
  if (elements.length > 1) fault('decide-binding', 'a state has one decide element');
  const attributes = Object.entries(element.attributes);
  // Without attributes it is the long form of one.
  const isLong = attributes.length === 0;
  if (isLong ? (said.texts.get('decide') ?? element.text) !== element.text : said.texts.size > 0)
    fault('decide-binding', 'a state is bound by attributes or by an element, not by both');
  if (isLong) return said.texts;
  const texts = new Map<string, string>();
  for (const [name, value] of attributes) {
    const local = name === 'decider' ? 'decide' : name;
    if (name === 'decide' || !(NAMES as readonly string[]).includes(local))
      fault('decide-binding', `a decide element has no attribute '${name}'`);
    texts.set(local, value);
  }
  if (element.text !== '' && !texts.has('decide')) texts.set('decide', element.text);
  return texts;
}

function deadlineOf(text: string | undefined, fault: (code: string, message: string) => void): number | null {
  if (text === undefined) return null;
  try {
    const milliseconds = parseDelay(text);
    if (milliseconds > 0) return milliseconds;
    fault('decide-deadline', 'a deadline lies in the future');
  } catch (error) {
    if (!isWarrantError(error, 'CHART_DELAY')) throw error;
    fault('decide-deadline', error.message);
  }
  return null;
}

function boundOf(text: string | undefined, fault: (code: string, message: string) => void): number | null {
  if (text === undefined) return null;
  const value = /^[1-9]\d*$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value <= MAX_BOUND) return value;
  fault('decide-max-decisions', `maxDecisions is a whole number from 1 to ${MAX_BOUND}`);
  return null;
}
