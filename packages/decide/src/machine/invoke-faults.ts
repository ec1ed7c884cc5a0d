import { type ChartFault, type ChartIr, type InvokeIr, type PlaceOf, parseDelay, type StateIr } from '@warrant/chart';
import { isWarrantError } from '@warrant/core';
import { eachState } from '../binding.ts';
import { type Said, saidBy } from '../extensions.ts';
import type { Schemas } from './program.ts';
import { serviceOf } from './service.ts';

type Problem = readonly [code: string, message: string];

/** What is wrong with the services that a chart invokes, as far as the chart says it in so many words. */
export function invokeFaults(chart: ChartIr, schemas: Schemas | undefined, placeOf?: PlaceOf): readonly ChartFault[] {
  const faults: ChartFault[] = [];
  eachState(chart, (state, _, path) => {
    for (const [index, invoke] of state.invokes.entries()) {
      const place = `${path}/invokes/${index}`;
      for (const [code, message] of problemsOf(state, invoke, schemas))
        faults.push({ code, path: place, message, ...placeOf?.(place) });
    }
  });
  return faults;
}

function problemsOf(state: StateIr, invoke: InvokeIr, schemas: Schemas | undefined): readonly Problem[] {
  const said = saidBy(invoke.extensions);
  if (said.namespaces.size > 1) return [['invoke-namespaces', 'an invoke speaks in one namespace, not in both']];
  switch (serviceOf(invoke.processor)) {
    case 'llm':
      return llmProblems(invoke, said, schemas);
    case 'tool':
      return invoke.src === undefined && invoke.srcExpr === undefined
        ? [['tool-src', "a vt:tool names its tool in 'src'"]]
        : [];
    case 'plan':
      return planProblems(saidBy([...(state.extensions ?? []), ...(invoke.extensions ?? [])]));
    default:
      return [];
  }
}

function llmProblems(invoke: InvokeIr, said: Said, schemas: Schemas | undefined): readonly Problem[] {
  const problems: Problem[] = [];
  const text = (name: string) => said.texts.get(name);
  if ((text('provider') ?? '').trim() === '') problems.push(['llm-provider', 'a vt:llm names its provider']);
  if (text('template') === undefined && invoke.content === undefined)
    problems.push(['llm-template', 'a vt:llm has a template, as an attribute or as content']);
  if (text('template') !== undefined && invoke.content !== undefined)
    problems.push(['llm-template', 'a vt:llm has one template, as an attribute or as content']);
  const check = (name: string, test: (value: number) => boolean, what: string) => {
    const value = text(name);
    if (value !== undefined && !(value.trim() !== '' && test(Number(value))))
      problems.push([`llm-${name.toLowerCase()}`, `${name} is ${what}`]);
  };
  check('temperature', (value) => value >= 0 && value <= 2, 'a number from 0 to 2');
  check('maxTokens', (value) => Number.isSafeInteger(value) && value >= 1, 'a whole number from 1 on');
  check(
    'retry',
    (value) => Number.isSafeInteger(value) && value >= 1 && value <= 20,
    'a whole number of attempts from 1 to 20',
  );
  if (!['true', 'false', undefined].includes(text('stream'))) problems.push(['llm-stream', 'stream is true or false']);
  problems.push(...delayProblem(text('backoff'), 'llm-backoff'), ...outputProblem(text('output'), schemas));
  return problems;
}

function outputProblem(type: string | undefined, schemas: Schemas | undefined): readonly Problem[] {
  if (type === undefined) return [];
  if (schemas === undefined) return [['llm-output', 'an output type needs a compiler of schemas, and none was given']];
  try {
    schemas.ofType(type);
    return [];
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return [['llm-output', `the output type cannot be read: ${error.message}`]];
  }
}

function planProblems(said: Said): readonly Problem[] {
  const bounds = ['maxMacrosteps', 'maxSends'].flatMap((name): readonly Problem[] => {
    const value = said.texts.get(name);
    return value === undefined || /^[1-9]\d{0,6}$/.test(value.trim())
      ? []
      : [['plan-bound', `${name} is a whole number from 1 to 9999999`]];
  });
  return [...bounds, ...delayProblem(said.texts.get('maxDuration'), 'plan-bound')];
}

function delayProblem(text: string | undefined, code: string): readonly Problem[] {
  if (text === undefined) return [];
  try {
    parseDelay(text);
    return [];
  } catch (error) {
    if (!isWarrantError(error, 'CHART_DELAY')) throw error;
    return [[code, error.message]];
  }
}
