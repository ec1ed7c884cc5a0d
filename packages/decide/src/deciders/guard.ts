import {
  type Chart,
  type ChartIr,
  type DataModel,
  type Expression,
  matchesDescriptor,
  type Scope,
} from '@warrant/chart';
import {
  type Candidate,
  type Decider,
  type Decision,
  type DecisionRequest,
  isWarrantError,
  type Json,
} from '@warrant/core';
import { eachState } from '../binding.ts';
import { saidBy } from '../extensions.ts';
import { transitionsOf } from '../request.ts';

export type GuardRule = {
  readonly event: string;
  /** Condition over `ctx`; always holds when left out. */
  readonly guard?: string;
  /** Expression over `ctx` for the payload. @default null */
  readonly payload?: string;
};

/** A decider that answers at once, from the request alone: a host takes its answer into the append of the input that led to the question. */
export type RuleDecider = Decider & { readonly kind: 'guard'; decideNow(request: DecisionRequest): Decision };

type Rule = {
  readonly appliesTo: (candidate: Candidate, request: DecisionRequest) => boolean;
  readonly guard: Expression | undefined;
  readonly payload: Expression | undefined;
};

/** Decides by rules: of the offered events, in the order of the offer, the first with a rule whose guard holds. The same offer and data always give the same answer. */
export function createGuardDecider(options: {
  readonly rules: readonly GuardRule[];
  /** The language of guards and payloads; needed only where a rule has one. */
  readonly dataModel?: DataModel;
}): RuleDecider {
  return deciding(
    options.rules.map(({ event, guard, payload }) => ({
      appliesTo: (candidate) => candidate.event === event,
      ...compileRule(guard, payload, options.dataModel),
    })),
  );
}

/** Takes the rules from `decisionGuard` and `decisionPayload` at a chart's transitions. Each counts for its own transition only. */
export function guardDeciderFromChart(chart: Chart | ChartIr, dataModel?: DataModel): RuleDecider {
  const rules: Rule[] = [];
  const paths = new Map<string, string>();
  eachState('ir' in chart ? chart.ir : chart, (state, id, path) => {
    paths.set(id, `${path}/`);
    for (const [index, { events, extensions }] of state.transitions.entries()) {
      const { texts } = saidBy(extensions);
      const guard = texts.get('decisionGuard');
      if (guard === undefined) continue;
      const own = { transition: `${id}#${index}`, events, path: `${path}/` };
      rules.push({
        appliesTo: (candidate, request) => isOf(own, candidate, paths.get(request.state)),
        ...compileRule(guard, texts.get('decisionPayload'), dataModel),
      });
    }
  });
  return deciding(rules);
}

/** Whether a candidate would take the transition; where nobody says what it would take, whether it may. */
function isOf(
  {
    transition,
    events,
    path,
  }: { readonly transition: string; readonly events: readonly string[]; readonly path: string },
  candidate: Candidate,
  decideState: string | undefined,
): boolean {
  const taken = transitionsOf(candidate);
  if (taken !== undefined) return taken.includes(transition);
  const isNear = decideState === undefined || path.startsWith(decideState) || decideState.startsWith(path);
  return isNear && events.some((descriptor) => matchesDescriptor(descriptor, candidate.event));
}

/** The first of these events that is offered, with no payload. */
export function firstEnabled(...events: readonly string[]): RuleDecider {
  return ruleDecider(({ candidates }) => {
    const event = events.find((name) => candidates.some((candidate) => candidate.event === name));
    return event === undefined ? NO_RULE : { type: 'decision', event, payload: null };
  });
}

const own = new WeakSet<Decider>();

/** Whether a decider was made here, and so changes nothing of what it is shown. Others get a copy, whatever kind they say they are. */
export function onlyReads(decider: Decider): boolean {
  return own.has(decider);
}

function ruleDecider(decideNow: RuleDecider['decideNow']): RuleDecider {
  const decider: RuleDecider = { kind: 'guard', decideNow, decide: async (request) => decideNow(request) };
  own.add(decider);
  return decider;
}

const NO_RULE = { type: 'refusal', reason: 'no-rule-holds' } as const;

function compileRule(
  guard: string | undefined,
  payload: string | undefined,
  dataModel: DataModel | undefined,
): Pick<Rule, 'guard' | 'payload'> {
  const compile = (source: string | undefined, kind: 'condition' | 'expression'): Expression | undefined => {
    if (source === undefined) return undefined;
    if (dataModel === undefined) throw new TypeError('a rule with a guard or a payload needs a data model');
    return dataModel[kind](source);
  };
  return { guard: compile(guard, 'condition'), payload: compile(payload, 'expression') };
}

function deciding(rules: readonly Rule[]): RuleDecider {
  return ruleDecider((request) => {
    const scope = scopeOf(request);
    for (const candidate of request.candidates) {
      const rule = rules.find((one) => one.appliesTo(candidate, request) && holds(one, scope));
      if (rule === undefined) continue;
      const payload: Json = rule.payload?.evaluate(scope) ?? null;
      return { type: 'decision', event: candidate.event, payload };
    }
    return NO_RULE;
  });
}

/** A guard that cannot be evaluated does not hold. */
function holds({ guard }: Rule, scope: Scope): boolean {
  if (guard === undefined) return true;
  try {
    return guard.evaluate(scope) === true;
  } catch (error) {
    if (isWarrantError(error)) return false;
    throw error;
  }
}

function scopeOf({ context, actor, state }: DecisionRequest): Scope {
  return {
    data: context,
    event: null,
    session: { id: actor, name: '' },
    isActive: (id) => id === state,
    variables: {},
  };
}
