import {
  type ChartIr,
  chartDigest,
  type Effect,
  type InvokeIr,
  parseDelay,
  SCXML_PROCESSOR,
  type SendIr,
  type StateIr,
} from '@warrant/chart';
import { type Digest, isWarrantError, type Json, type JsonObject, type Label } from '@warrant/core';
import { eachState } from '../binding.ts';
import { type Said, saidBy } from '../extensions.ts';
import { declaredGrant, intersectGrants, isGranted, saysGrant } from '../grant.ts';
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
  const { plan: given, call, ...input } = { plan: effect.content, call: null, ...effect.params };
  const lineage = typeof call === 'string' ? call : null;
  const reject = (failure: PlanFailure, plan: Digest | null): void => {
    turn.facts.push({ type: 'plan', outcome: 'rejected', effect: id, plan, class: failure, call: lineage });
    tell(turn, session.id, 'error.plan', { class: failure, invoke: effect.id, plan }, { invokeid: effect.id });
  };
  const ir = parsePlan(turn, effect.content ?? given ?? null);
  if (ir === undefined) return reject('parse', null);
  const digest = chartDigest(ir);
  const invoking = intersectGrants(session.grant, declaredGrant(around));
  const own = [saidBy(ir.extensions)];
  // A plan may ask for less than the state that runs it was given for it, never for more.
  const grant = saysGrant(own) ? intersectGrants(invoking, declaredGrant(own)) : invoking;
  const bounds = boundsOf(turn, around);
  const child: StartedSession = { id, parent: session.id, invoke: effect.id, kind: 'plan', ir, grant, bounds };
  if (!isSound(turn, ir, child)) return reject('invalid', digest);
  turn.facts.push({ type: 'plan', outcome: 'accepted', effect: id, plan: digest, call: lineage });
  noteGrant(turn, id, session.id, grant);
  start(turn, child, input as JsonObject, label);
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
function isSound(turn: Turn, ir: ChartIr, { grant, bounds }: StartedSession): boolean {
  const addresses: string[] = [];
  const functions: string[] = [];
  let foreign = false;
  eachState(ir, (state) => {
    for (const invoke of state.invokes) foreign ||= isForeign(invoke);
    for (const send of sendsOf(state)) {
      if (send.processor !== undefined && !isOwnProcessor(send.processor)) functions.push(send.processor);
      else if (send.target !== undefined) addresses.push(send.target);
    }
  });
  const reachable = (target: string) =>
    target.startsWith('#_')
      ? target !== '#_parent' || isGranted(grant.targets, target)
      : isGranted(grant.targets, target) || isGranted(grant.tools, target);
  if (foreign || !addresses.every(reachable) || !functions.every((name) => isGranted(grant.functions, name)))
    return false;
  try {
    const program = turn.machinery.programOf(ir, { macrosteps: bounds?.maxMacrosteps ?? DEFAULT_MAX_MACROSTEPS });
    const bound = program.bindings.flatMap(({ decider, fallback }) =>
      fallback === null ? [decider] : [decider, fallback],
    );
    resultSchema(turn, ir);
    return bound.every((name) => isGranted(grant.deciders, name));
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return false;
  }
}

/** A plan starts no plan of its own, and nothing by an expression whose value is not known beforehand. */
function isForeign(invoke: InvokeIr): boolean {
  const service = serviceOf(invoke.processor);
  return invoke.processorExpr !== undefined || service === 'unknown' || service === 'plan' || service === 'chart';
}

function isOwnProcessor(processor: string): boolean {
  return [SCXML_PROCESSOR, 'scxml', 'http://www.w3.org/TR/scxml/'].includes(processor);
}

/** All sends in a state's own content, wherever they stand. */
function sendsOf(state: StateIr): readonly SendIr[] {
  const found: SendIr[] = [];
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { type } = part as { readonly type?: unknown };
    if (type === 'send') found.push(part as SendIr);
    for (const member of Object.values(part)) look(member);
  };
  look([state.onEntry, state.onExit, state.transitions, state.initial, state.invokes]);
  return found;
}

/** Whether what a plan ends with is of the type that it declared; without one, anything is. */
export function checkPlanResult(turn: Turn, session: SessionState, data: Json): boolean {
  const schema = session.ir === null ? undefined : resultSchema(turn, session.ir);
  if (schema === undefined) return true;
  return turn.machinery.options.schemas?.violations(schema, data).length === 0;
}

/** @throws DECIDE_TYPE */
function resultSchema(turn: Turn, ir: ChartIr): JsonObject | undefined {
  const type = saidBy(ir.extensions).texts.get('result');
  const { schemas } = turn.machinery.options;
  if (type === undefined) return undefined;
  // A declared type that nobody can check is refused, not let pass.
  return schemas === undefined ? { not: {} } : schemas.ofType(type);
}
