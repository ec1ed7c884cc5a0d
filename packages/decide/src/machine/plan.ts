import {
  type ChartIr,
  chartDigest,
  type Effect,
  type InvokeIr,
  parseDelay,
  SCXML_PROCESSOR,
  type SendIr,
} from '@warrant/chart';
import { type Digest, type Grant, isWarrantError, type Json, type JsonObject, type Label } from '@warrant/core';
import { eachState } from '../binding.ts';
import { type Said, saidBy } from '../extensions.ts';
import { declaredGrant, intersectGrants, isGranted, saysGrant } from '../grant.ts';
import { actionsOf, eachAction } from '../labels/flows.ts';
import type { PlanBounds, SessionState } from '../state.ts';
import type { PlanFailure } from './leave.ts';
import { serviceOf } from './service.ts';
import { nextEffect, noteGrant, type StartedSession, type Turn, tell } from './turn.ts';

type Invoke = Extract<Effect, { readonly type: 'invoke' }>;
type Context = {
  readonly around: readonly Said[];
  readonly start: (turn: Turn, session: StartedSession, input: JsonObject, label: Label) => void;
  readonly label: Label;
};

const DEFAULT_MAX_MACROSTEPS = 1000;
const DEFAULT_MAX_SENDS = 100;

/** Runs a chart that somebody wrote while the agent ran, after checking it like any chart and more. */
export function startPlan(turn: Turn, session: SessionState, effect: Invoke, { around, start, label }: Context): void {
  const id = nextEffect(turn);
  const { plan: given = null, call, ...input } = effect.params;
  const lineage = typeof call === 'string' ? call : null;
  const reject = (failure: PlanFailure, plan: Digest | null): void => {
    turn.facts.push({ type: 'plan', outcome: 'rejected', effect: id, plan, class: failure, call: lineage });
    tell(turn, session.id, 'error.plan', { class: failure, invoke: effect.id, plan }, { invokeid: effect.id });
  };
  const ir = parsePlan(turn, effect.content ?? given);
  if (ir === undefined) return reject('parse', null);
  const digest = chartDigest(ir);
  const invoking = intersectGrants(session.grant, declaredGrant(around));
  const own = [saidBy(ir.extensions)];
  // A plan may ask for less than the state that runs it was given for it, never for more.
  const grant = saysGrant(own) ? intersectGrants(invoking, declaredGrant(own)) : invoking;
  const bounds = boundsOf(turn, around);
  if (!isSound(turn, ir, grant, bounds)) return reject('invalid', digest);
  turn.facts.push({ type: 'plan', outcome: 'accepted', effect: id, plan: digest, call: lineage });
  noteGrant(turn, id, session.id, grant);
  start(turn, { id, parent: session.id, invoke: effect.id, kind: 'plan', ir, grant, bounds }, input, label);
}

function parsePlan(turn: Turn, plan: Json): ChartIr | undefined {
  const { plans } = turn.machinery.options;
  if (typeof plan !== 'string' || plans === undefined) return undefined;
  try {
    return plans(plan);
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return undefined;
  }
}

function boundsOf(turn: Turn, around: readonly Said[]): PlanBounds {
  const text = (name: string) => around.findLast(({ texts }) => texts.has(name))?.texts.get(name);
  const duration = text('maxDuration');
  return {
    maxMacrosteps: Number(text('maxMacrosteps') ?? DEFAULT_MAX_MACROSTEPS),
    maxSends: Number(text('maxSends') ?? DEFAULT_MAX_SENDS),
    due: duration === undefined ? null : new Date(Date.parse(turn.at) + parseDelay(duration)).toISOString(),
    macrosteps: 0,
    sends: 0,
  };
}

/** Whether a plan may run at all: a sound chart that names nothing it was not granted. */
function isSound(turn: Turn, ir: ChartIr, grant: Grant, { maxMacrosteps }: PlanBounds): boolean {
  if (ungrantedIn(ir, grant).length > 0) return false;
  try {
    const program = turn.machinery.programOf(ir, { macrosteps: maxMacrosteps });
    const bound = program.bindings.flatMap(({ decider, fallback }) =>
      fallback === null ? [decider] : [decider, fallback],
    );
    const result = resultType(ir);
    if (result !== undefined) turn.machinery.options.schemas?.ofType(result);
    return bound.every((name) => isGranted(grant.deciders, name));
  } catch (error) {
    if (!isWarrantError(error)) throw error;
  }
  return false;
}

/** All that a plan names in so many words without a grant for it; what it computes is looked at when it is sent. */
function ungrantedIn(ir: ChartIr, grant: Grant): readonly (InvokeIr | SendIr)[] {
  const found: (InvokeIr | SendIr)[] = [];
  eachState(ir, (state) => {
    found.push(...state.invokes.filter((invoke) => isForeign(invoke) || !isGrantedTool(invoke, grant)));
    eachAction(actionsOf(state), (action) => {
      if (action.type === 'send' && !isGrantedSend(action, grant)) found.push(action);
    });
  });
  return found;
}

function isGrantedTool({ processor, src }: InvokeIr, { tools }: Grant): boolean {
  return serviceOf(processor) !== 'tool' || src === undefined || isGranted(tools, src);
}

function isGrantedSend({ processor, target }: SendIr, { functions, targets, tools }: Grant): boolean {
  if (processor !== undefined && !isOwnProcessor(processor)) return isGranted(functions, processor);
  if (target === undefined) return true;
  // To itself and to what it invoked nobody needs a grant.
  if (target.startsWith('#_')) return target !== '#_parent' || isGranted(targets, target);
  return isGranted(targets, target) || isGranted(tools, target);
}

/** A plan starts no plan and no chart of its own; an invoke that computes what it starts names no service. */
function isForeign({ processor }: InvokeIr): boolean {
  const service = serviceOf(processor);
  return service !== 'llm' && service !== 'tool';
}

function isOwnProcessor(processor: string): boolean {
  return [SCXML_PROCESSOR, 'scxml', 'http://www.w3.org/TR/scxml/'].includes(processor);
}

/** Whether what a plan ends with is of the type that it declared; without one, anything is. */
export function checkPlanResult(turn: Turn, session: SessionState, data: Json): boolean {
  const type = resultType(session.ir as ChartIr);
  if (type === undefined) return true;
  const { schemas } = turn.machinery.options;
  // A declared type that nobody can check is refused, not let pass.
  return schemas !== undefined && schemas.violations(schemas.ofType(type), data).length === 0;
}

function resultType(ir: ChartIr): string | undefined {
  return saidBy(ir.extensions).texts.get('result');
}
