import type { Json, JsonObject } from '@warrant/core';
import type { Fact, Input } from '../input.ts';
import { isUsage } from '../usage.ts';

type Check = (value: Json | undefined) => boolean;
type Form = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const time: Check = (value) => typeof value === 'string' && Number.isFinite(Date.parse(value));
const object: Check = (value) => isObject(value);
const texts: Check = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string');
const count: Check = (value) => typeof value === 'number';
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const listOf =
  (form: Form): Check =>
  (value) =>
    Array.isArray(value) && (value as readonly Json[]).every((one) => isOfForm(one, form));
const within =
  (form: Form): Check =>
  (value) =>
    isOfForm(value, form);

const grant = within({ targets: texts, tools: texts, deciders: texts, functions: texts });
const toolCalls = listOf({ tool: text, arguments: object });
const usage: Check = (value) => isUsage(value);
const label = maybe(within({ trust: text, sources: texts }));
const answer: Form = { correlation: text };

const INPUTS: { readonly [Type in Input['type']]: Form } = {
  start: { program: text, input: object, grant, tools: texts, maxAsks: maybe(count), label },
  event: { name: text, label },
  decision: { ...answer, event: text },
  refusal: { ...answer, reason: text },
  timer: { timer: text },
  'llm.result': { effect: text, model: text, promptHash: text, usage, toolCalls },
  'llm.error': { effect: text, class: text, promptHash: text, usage: maybe(usage) },
  'tool.result': { effect: text, outcome: text, label, message: maybe(text), class: maybe(text) },
  reply: { effect: text, outcome: text },
  review: { proposal: text, decision: text, reason: maybe(text) },
};

const FACTS: { readonly [Type in Fact['type']]: Form } = {
  offered: { ...answer, state: text, binding: text, fallback: flag, fingerprint: text, candidates: texts },
  closed: { ...answer, why: text },
  accepted: { ...answer, event: text, transitions: texts },
  invalid: { ...answer, event: text, reason: text, paths: texts },
  refused: answer,
  raised: { event: text, state: text },
  called: { effect: text, kind: text, name: text },
  cancelled: { effect: text },
  granted: { effect: text, parent: text, grant },
  'not-granted': { session: text, what: text, name: text, event: text },
  plan: { outcome: text, effect: text, plan: maybe(text), call: maybe(text) },
  version: { outcome: text, proposal: text, program: maybe(text), reason: maybe(text) },
  moved: { from: texts, to: texts },
};

const INTENTS: Readonly<Record<string, Form>> = {
  call: { effect: text, kind: text, host: text, until: time },
  timer: { timer: text, due: time },
  'timer-cancelled': { timer: text },
};

const REST: Form = { intents: count, facts: count, digest: text, until: maybe(time) };
const TAKEOVER: Form = { effect: text, host: text, until: time };
const TIMERS = listOf({ timer: text, due: time });

/** Whether it has all that an input of its type has. */
export function isInput(input: Json | undefined): boolean {
  return isObject(input) && time(input['at']) && isOneOf(input['data'], INPUTS, input['type']);
}

/** Whether an entry says of an input what hosts write down: whoever reads it may rely on all that its type has. */
export function isInputRecord({ input, host, intents, facts, rest }: JsonObject): boolean {
  if (!isInput(input) || typeof host !== 'string' || !Array.isArray(intents) || !Array.isArray(facts)) return false;
  const isOf = (forms: Readonly<Record<string, Form>>) => (one: Json) =>
    isObject(one) && isOneOf(one, forms, one['type']);
  return intents.every(isOf(INTENTS)) && facts.every(isOf(FACTS)) && (rest === undefined || isOfForm(rest, REST));
}

export function isTakeoverRecord(data: JsonObject): boolean {
  return isOfForm(data, TAKEOVER);
}

export function isForkedRecord({ timers }: JsonObject): boolean {
  return TIMERS(timers);
}

function isOneOf(value: Json | undefined, forms: Readonly<Record<string, Form>>, type: Json | undefined): boolean {
  return typeof type === 'string' && Object.hasOwn(forms, type) && isOfForm(value, forms[type] as Form);
}

function isOfForm(value: Json | undefined, form: Form): boolean {
  return isObject(value) && checksOf(form).every(([name, check]) => check(value[name]));
}

type Checks = readonly (readonly [name: string, check: Check])[];
const taken = new Map<Form, Checks>();

/** Entries are read by the ten thousand: a form is taken apart once. */
function checksOf(form: Form): Checks {
  const known = taken.get(form);
  if (known !== undefined) return known;
  const checks = Object.entries(form);
  taken.set(form, checks);
  return checks;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
