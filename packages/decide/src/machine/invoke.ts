import { type Effect, type ExternalEvent, type InvokeIr, parseDelay, type StateIr } from '@warrant/chart';
import { digestBytes, type Json, type JsonObject, type Label, type Labels } from '@warrant/core';
import { type Said, saidBy } from '../extensions.ts';
import { declaredGrant, EMPTY_GRANT, intersectGrants, isGranted } from '../grant.ts';
import { payloadFlow } from '../labels/flows.ts';
import { NO_LABEL, payloadLabels } from '../labels/relabel.ts';
import type { LlmCall, SessionState } from '../state.ts';
import { renderTemplate } from '../template.ts';
import { startPlan } from './plan.ts';
import { deny, isTool } from './send.ts';
import { serviceOf } from './service.ts';
import { nextEffect, noteGrant, programOf, type StartedSession, type Turn, tell } from './turn.ts';

type Invoke = Extract<Effect, { readonly type: 'invoke' }>;
type Starter = (turn: Turn, session: StartedSession, input: JsonObject, label: Label) => void;
type Surroundings = { readonly event: ExternalEvent | null; readonly start: Starter };
/** What the chart says about one invoke. */
type Declared = { readonly invoke: InvokeIr; readonly said: Said; readonly around: readonly Said[] };

/** Starts what an invoke names: a model call, a tool call, a plan or a chart. */
export function invokeService(turn: Turn, session: SessionState, effect: Invoke, surroundings: Surroundings): void {
  const declared = declaredBy(turn, session, effect.id);
  // Started and left within one step: its cancellation follows.
  if (declared === undefined) return;
  switch (serviceOf(effect.processor)) {
    case 'llm':
      return startLlm(turn, session, effect, declared, surroundings.event);
    case 'tool':
      return startTool(turn, session, effect, declared);
    case 'plan':
      return startPlan(turn, session, effect, {
        around: declared.around,
        start: surroundings.start,
        label: labelsOfInvoke(turn, session, declared, effect.params)[''] ?? NO_LABEL,
      });
    case 'chart':
      return startChart(turn, session, effect, declared, surroundings.start);
    case 'unknown':
      return fail(turn, session, effect, 'error.communication', { reason: 'unknown-service' });
  }
}

function declaredBy(turn: Turn, session: SessionState, id: string): Declared | undefined {
  const active = session.chart.invokes.find((one) => one.id === id);
  const state: StateIr | undefined = active && programOf(turn, session).nodes.get(active.state);
  const invoke = active && state?.invokes[active.index];
  if (state === undefined || invoke === undefined) return undefined;
  const said = saidBy(invoke.extensions);
  return { invoke, said, around: [saidBy(state.extensions), said] };
}

function fail(turn: Turn, session: SessionState, effect: Invoke, name: string, data: JsonObject): void {
  tell(turn, session.id, name, { ...data, invoke: effect.id }, { invokeid: effect.id });
}

function startLlm(
  turn: Turn,
  session: SessionState,
  effect: Invoke,
  declared: Declared,
  event: ExternalEvent | null,
): void {
  const { texts } = declared.said;
  const template = texts.get('template') ?? effect.content;
  const rendered =
    typeof template === 'string'
      ? renderTemplate(template, { context: session.chart.data, event: eventView(event) })
      : ({ type: 'missing', path: 'template' } as const);
  if (rendered.type === 'missing')
    return fail(turn, session, effect, 'error.llm', {
      class: 'invalid-request',
      reason: 'template',
      path: rendered.path,
    });
  const number = (name: string) => (texts.has(name) ? Number(texts.get(name)) : null);
  const grant = intersectGrants(session.grant, declaredGrant(declared.around));
  const granted = grant.tools.includes('*') ? turn.tools : grant.tools;
  const call: LlmCall = {
    kind: 'llm',
    effect: nextEffect(turn),
    session: session.id,
    invoke: effect.id,
    sendid: null,
    attempt: 1,
    attempts: number('retry') ?? 1,
    backoffMs: texts.has('backoff') ? parseDelay(texts.get('backoff') as string) : DEFAULT_BACKOFF_MS,
    retryAt: null,
    request: {
      provider: (texts.get('provider') as string).trim(),
      model: texts.get('model')?.trim() ?? '',
      prompt: rendered.text,
      promptHash: digestBytes(rendered.text),
      temperature: number('temperature'),
      maxTokens: number('maxTokens'),
      output: texts.get('output') ?? null,
      stream: texts.get('stream') === 'true',
      tools: granted,
    },
  };
  turn.calls = [...turn.calls, call];
  noteLlm(turn, call);
  noteGrant(turn, call.effect, session.id, { ...EMPTY_GRANT, tools: granted });
}

const DEFAULT_BACKOFF_MS = 1000;

/** Writes down that a model is asked. */
export function noteLlm(turn: Turn, call: LlmCall): void {
  const { provider, promptHash } = call.request;
  turn.facts.push({ type: 'called', effect: call.effect, kind: 'llm', name: provider, promptHash });
}

function eventView(event: ExternalEvent | null): Json {
  return event === null ? null : { name: event.name, data: event.data ?? null, invokeid: event.invokeid ?? null };
}

function startTool(turn: Turn, session: SessionState, effect: Invoke, declared: Declared): void {
  const tool = effect.src ?? '';
  if (isTool(turn, session, tool) && !isGranted(session.grant.tools, tool))
    return deny(turn, session, { event: { name: `invoke.${effect.id}` } }, 'tools', tool, effect.id);
  if (!isGranted(session.grant.tools, tool))
    return fail(turn, session, effect, 'error.tool', { class: 'unknown', reason: 'not-registered', tool });
  const given: Json = effect.content ?? effect.params;
  const id = nextEffect(turn);
  turn.calls = [
    ...turn.calls,
    {
      kind: 'tool',
      effect: id,
      session: session.id,
      invoke: effect.id,
      sendid: null,
      tool,
      arguments: given,
      labels: labelsOfInvoke(turn, session, declared, given),
      pending: null,
    },
  ];
  turn.facts.push({ type: 'called', effect: id, kind: 'tool', name: tool });
}

function labelsOfInvoke(turn: Turn, session: SessionState, { invoke }: Declared, given: Json): Labels {
  return payloadLabels([payloadFlow(invoke)], given, turn.around, programOf(turn, session).flows.toItself);
}

function startChart(turn: Turn, session: SessionState, effect: Invoke, declared: Declared, start: Starter): void {
  const { invoke } = declared;
  const ir = effect.chart ?? (invoke.content !== undefined && 'chart' in invoke.content ? invoke.content.chart : null);
  if (ir === null) return fail(turn, session, effect, 'error.communication', { reason: 'no-chart' });
  const grant = intersectGrants(session.grant, declaredGrant(declared.around));
  const id = nextEffect(turn);
  noteGrant(turn, id, session.id, grant);
  start(
    turn,
    { id, parent: session.id, invoke: effect.id, kind: 'chart', ir, grant, bounds: null },
    effect.params,
    labelsOfInvoke(turn, session, declared, effect.params)[''] ?? NO_LABEL,
  );
}
