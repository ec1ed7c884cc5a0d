import type { Chart, ChartIr, DataModel, Expression, Scope } from '@warrant/chart';
import type { Decider, Decision, DecisionRequest, Json } from '@warrant/core';
import { isWarrantError } from '@warrant/core';
import { eachState } from '../binding.ts';
import { saidBy } from '../extensions.ts';

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
  readonly event: string;
  readonly guard: Expression | undefined;
  readonly payload: Expression | undefined;
};

/** Decides by rules: of the offered events, in the order of the offer, the first with a rule whose guard holds. The same offer and data always give the same answer. */
export function createGuardDecider(options: {
  readonly rules: readonly GuardRule[];
  /** The language of guards and payloads; needed only where a rule has one. */
  readonly dataModel?: DataModel;
}): RuleDecider {
  return deciding(options.rules.map((rule) => compileRule(rule, options.dataModel)));
}

/** Takes the rules from `decisionGuard` and `decisionPayload` at a chart's transitions. */
export function guardDeciderFromChart(chart: Chart | ChartIr, dataModel?: DataModel): RuleDecider {
  const ir = 'ir' in chart ? chart.ir : chart;
  const rules: GuardRule[] = [];
  eachState(ir, (state) => {
    for (const transition of state.transitions) {
      const { texts } = saidBy(transition.extensions);
      const guard = texts.get('decisionGuard');
      const payload = texts.get('decisionPayload');
      if (guard === undefined) continue;
      for (const event of transition.events)
        rules.push({ event, guard, ...(payload === undefined ? {} : { payload }) });
    }
  });
  return createGuardDecider({ rules, ...(dataModel === undefined ? {} : { dataModel }) });
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

function compileRule({ event, guard, payload }: GuardRule, dataModel: DataModel | undefined): Rule {
  const compile = (source: string | undefined, kind: 'condition' | 'expression'): Expression | undefined => {
    if (source === undefined) return undefined;
    if (dataModel === undefined) throw new TypeError('a rule with a guard or a payload needs a data model');
    return dataModel[kind](source);
  };
  return { event, guard: compile(guard, 'condition'), payload: compile(payload, 'expression') };
}

function deciding(rules: readonly Rule[]): RuleDecider {
  return ruleDecider((request) => {
    const scope = scopeOf(request);
    for (const { event } of request.candidates) {
      const rule = rules.find((one) => one.event === event && holds(one, scope));
      if (rule === undefined) continue;
      const payload: Json = rule.payload?.evaluate(scope) ?? null;
      return { type: 'decision', event, payload };
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
