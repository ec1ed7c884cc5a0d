import type { AgentIntent, Json, JsonObject } from '@warrant/core';
import type { Fact, Input } from '../input.ts';
import { isObject } from '../is-object.ts';
import { isUsage } from '../usage.ts';

type Check = (value: Json | undefined) => boolean;
type Members = Readonly<Record<string, Check>>;

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
const within = (members: Members): Check => {
  // Taken apart once: entries are read by the ten thousand.
  const checks = Object.entries(members);
  return (value) => isObject(value) && checks.every(([name, check]) => check(value[name]));
};
const listOf = (members: Members): Check => {
  const isOne = within(members);
  return (value) => Array.isArray(value) && (value as readonly Json[]).every(isOne);
};

const byType = <Type extends string>(forms: { readonly [One in Type]: Members }): Members =>
  Object.fromEntries(Object.entries<Members>(forms).map(([type, members]) => [type, within(members)]));

const grant = within({ targets: texts, tools: texts, deciders: texts, functions: texts });
const toolCalls = listOf({ tool: text, arguments: object });
const usage: Check = (value) => isUsage(value);
const label = maybe(within({ trust: text, sources: texts }));
const answer: Members = { correlation: text };

const INPUTS = byType<Input['type']>({
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
});

const FACTS = byType<Fact['type']>({
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
});

const INTENTS = byType<AgentIntent['type']>({
  call: { effect: text, kind: text, host: text, until: time },
  timer: { timer: text, due: time },
  'timer-cancelled': { timer: text },
});

const REST = within({ intents: count, facts: count, digest: text, until: maybe(time) });
const TAKEOVER = within({ effect: text, host: text, until: time });
const TIMERS = listOf({ timer: text, due: time });

/** Whether it has all that an input of its type has. */
export function isInput(input: Json | undefined): boolean {
  return isObject(input) && time(input['at']) && isOneOf(INPUTS, input['type'], input['data']);
}

/** Whether an entry says of an input what hosts write down: whoever reads it may rely on all that its type has. */
export function isInputRecord({ input, host, intents, facts, rest }: JsonObject): boolean {
  if (!isInput(input) || typeof host !== 'string' || !Array.isArray(intents) || !Array.isArray(facts)) return false;
  const isOf = (forms: Members) => (one: Json) => isObject(one) && isOneOf(forms, one['type'], one);
  return intents.every(isOf(INTENTS)) && facts.every(isOf(FACTS)) && (rest === undefined || REST(rest));
}

export function isTakeoverRecord(data: JsonObject): boolean {
  return TAKEOVER(data);
}

export function isForkedRecord({ timers }: JsonObject): boolean {
  return TIMERS(timers);
}

function isOneOf(forms: Members, type: Json | undefined, value: Json | undefined): boolean {
  return typeof type === 'string' && Object.hasOwn(forms, type) && (forms[type] as Check)(value);
}
