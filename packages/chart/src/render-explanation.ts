import type { Json } from '@warrant/core';
import type { Considered, Explanation, GuardPart } from './explain.ts';

/** Characters of one value at most. */
const MAX_VALUE = 120;

/** An explanation as text for a person. */
export function renderExplanation(explanation: Explanation): string {
  const { event, considered, taken, configuration, status } = explanation;
  const what = event === null ? 'Without an event' : `'${event}'`;
  const where = configuration.length === 0 ? '' : ` Active: ${configuration.join(', ')}.`;
  if (status !== 'running') return `The chart is ${status}: nothing moves it.\n`;
  const head = taken.length === 0 ? `${what} moves nothing.${where}` : `${what} takes ${taken.join(', ')}.${where}`;
  return `${[head, ...typeLines(explanation), ...considered.flatMap(lines), ...hints(explanation)].join('\n')}\n`;
}

function typeLines({ violations, event }: Explanation): readonly string[] {
  return violations.length === 0
    ? []
    : [`  The data are not of the type of '${event}': ${violations.map((path) => path || 'the whole').join(', ')}.`];
}

function hints({ considered, violations, awaited }: Explanation): readonly string[] {
  if (considered.length > 0 || violations.length > 0) return [];
  const names = awaited.length === 0 ? 'Active states wait for no event.' : `They wait for ${awaited.join(', ')}.`;
  return [`  No transition of an active state waits for it. ${names}`];
}

const VERDICTS: Readonly<Record<Considered['outcome'], string>> = {
  taken: 'is taken',
  'guard-false': 'is not taken: its condition is false',
  'guard-error': 'is not taken: its condition cannot be evaluated',
  'pre-empted': 'holds, but goes behind',
  'not-reached': 'is not asked, for what holds already is',
};

function lines(one: Considered): readonly string[] {
  const to = one.targets.length === 0 ? 'without target' : `to ${one.targets.join(', ')}`;
  const by = one.by === undefined ? '' : ` ${one.by}`;
  const head = `  ${one.transition} ${to} ${VERDICTS[one.outcome]}${by}.`;
  const guard =
    one.guard === undefined
      ? []
      : [`    if ${one.guard.source}`, ...one.guard.parts.map((part) => `      ${partLine(part)}`)];
  return [head, ...guard, ...movement(one)];
}

function movement({ domain, exits }: Considered): readonly string[] {
  if (domain === undefined || exits === undefined) return [];
  const inside = domain === '' ? 'the chart' : domain;
  return [`    within ${inside}, leaves ${exits.length === 0 ? 'nothing' : exits.join(', ')}`];
}

function partLine(part: GuardPart): string {
  return 'value' in part ? `${part.source} is ${shown(part.value)}` : `${part.source} fails: ${part.error}`;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}
