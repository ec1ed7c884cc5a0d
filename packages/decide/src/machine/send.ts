import { type Effect, SCXML_PROCESSOR } from '@warrant/chart';
import type { Grant, Label, Labels } from '@warrant/core';
import { isGranted } from '../grant.ts';
import { NO_LABEL, payloadLabels } from '../labels/relabel.ts';
import type { SessionState } from '../state.ts';
import { endPlan } from './leave.ts';
import { enqueue, type InvokedSession, isInvoked, nextEffect, programOf, putSession, type Turn, tell } from './turn.ts';

type Send = Extract<Effect, { readonly type: 'send' }>;

/** Where a send goes: the parent, a child, a tool, another actor. Nothing passes that is not granted. */
export function routeSend(turn: Turn, session: SessionState, send: Send): void {
  const { bounds } = session;
  if (bounds !== null) {
    // One more than it may is not delivered.
    if (bounds.sends >= bounds.maxSends) return endPlan(turn, session.id, 'bounds');
    putSession(turn, { ...session, bounds: { ...bounds, sends: bounds.sends + 1 } });
  }
  const { target, processor } = send;
  if (processor !== SCXML_PROCESSOR) return callTool(turn, session, send, processor, 'functions');
  if (target === '#_parent') return toParent(turn, session, send);
  if (target.startsWith('#_')) return toChild(turn, session, send);
  if (isTool(turn, session, target)) return callTool(turn, session, send, target, 'tools');
  if (!isGranted(session.grant.targets, target)) return deny(turn, session, send, 'targets', target);
  const effect = nextEffect(turn);
  const { name: event, data, sendid = null } = send.event;
  turn.calls = [
    ...turn.calls,
    {
      kind: 'message',
      effect,
      session: session.id,
      invoke: null,
      sendid,
      target,
      event,
      data,
      label: labelOfSend(turn, session, send),
    },
  ];
  turn.facts.push({ type: 'called', effect, kind: 'message', name: target });
}

/** What the kit registered, and what the grant names, is a tool; every other address is an actor's. */
export function isTool(turn: Turn, session: SessionState, iri: string): boolean {
  return turn.tools.includes(iri) || session.grant.tools.includes(iri);
}

function toParent(turn: Turn, session: SessionState, send: Send): void {
  if (!isGranted(session.grant.targets, '#_parent')) return deny(turn, session, send, 'targets', '#_parent');
  // No chart that nobody invoked sends to a parent.
  const { parent, invoke } = session as InvokedSession;
  enqueue(turn, parent, { ...send.event, invokeid: invoke }, labelOfSend(turn, session, send));
}

function toChild(turn: Turn, session: SessionState, send: Send): void {
  const child = turn.sessions.find((one) => one.parent === session.id && `#_${one.invoke}` === send.target);
  if (child !== undefined) enqueue(turn, child.id, send.event, labelOfSend(turn, session, send));
}

function callTool(turn: Turn, session: SessionState, send: Send, tool: string, kind: 'tools' | 'functions'): void {
  if (!isGranted(session.grant[kind], tool)) return deny(turn, session, send, kind, tool);
  const effect = nextEffect(turn);
  const { data, sendid = null } = send.event;
  turn.calls = [
    ...turn.calls,
    {
      kind: 'tool',
      effect,
      session: session.id,
      invoke: null,
      sendid,
      tool,
      arguments: data,
      labels: labelsOfSend(turn, session, send),
      pending: null,
    },
  ];
  turn.facts.push({ type: 'called', effect, kind: 'tool', name: tool });
}

/** By the sends of the chart that may have been this one: more than one only where targets or events are computed. */
function labelsOfSend(turn: Turn, session: SessionState, { target, event }: Send): Labels {
  const { flows } = programOf(turn, session);
  const may = flows.sends.filter(
    (one) => (one.target === null || one.target === target) && (one.event === null || one.event === event.name),
  );
  return payloadLabels(may, event.data ?? null, turn.around, flows.toItself);
}

function labelOfSend(turn: Turn, session: SessionState, send: Send): Label {
  return labelsOfSend(turn, session, send)[''] ?? NO_LABEL;
}

/** Nothing is delivered; the sender and whoever invoked it are told. */
export function deny(
  turn: Turn,
  session: SessionState,
  send: { readonly event: { readonly name: string; readonly sendid?: string } },
  what: keyof Grant,
  name: string,
  invokeid?: string,
): void {
  const { name: event, sendid } = send.event;
  turn.facts.push({ type: 'not-granted', session: session.id, what, name, event });
  tell(
    turn,
    session.id,
    'error.communication',
    { reason: 'not-granted', target: name },
    {
      ...(sendid === undefined ? {} : { sendid }),
      ...(invokeid === undefined ? {} : { invokeid }),
    },
  );
  if (!isInvoked(session)) return;
  tell(
    turn,
    session.parent,
    'vt.grant.denied',
    { invoke: session.invoke, what, name, event },
    { invokeid: session.invoke },
  );
}
