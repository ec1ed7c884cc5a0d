import { dropCalls, dropSlots, type InvokedSession, sessionOf, type Turn, tell } from './turn.ts';

/** Ends what an invoke started: its call is forgotten, its chart is closed. */
export function closeInvoke(turn: Turn, session: string, invoke: string): void {
  dropCalls(turn, (call) => call.session === session && call.invoke === invoke);
  const child = turn.sessions.find((one) => one.parent === session && one.invoke === invoke);
  if (child !== undefined) closeSession(turn, child.id);
}

/** Closes a chart with all that it started; what it sent still goes out. */
export function closeSession(turn: Turn, id: string): void {
  for (const child of turn.sessions.filter(({ parent }) => parent === id)) closeSession(turn, child.id);
  turn.sessions = turn.sessions.filter((session) => session.id !== id);
  dropCalls(turn, (call) => call.session === id && call.invoke !== null);
  dropSlots(turn, (slot) => slot.session === id);
}

export type PlanFailure = 'parse' | 'invalid' | 'bounds' | 'result';

/** Ends a plan before it is done; its parent is told why. */
export function endPlan(turn: Turn, id: string, failure: PlanFailure): void {
  const { parent, invoke } = sessionOf(turn, id) as InvokedSession;
  closeSession(turn, id);
  tell(turn, parent, 'error.plan', { class: failure, invoke }, { invokeid: invoke });
}
