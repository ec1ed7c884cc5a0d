import type { Json } from '@warrant/core';
import { WarrantError } from '@warrant/core';
import type { CompiledSend } from './chart.ts';
import { dueAt, parseDelay } from './delay.ts';
import { reasonOf } from './errors.ts';
import type { ChartEvent } from './event.ts';
import { assignAt } from './locations.ts';
import { payloadDespiteFaults, textOf } from './payload.ts';
import { enqueue, LimitReached, makeName, type Run, raise, raiseError } from './run.ts';

/** The event I/O processor of the standard (C.1). */
export const SCXML_PROCESSOR = 'http://www.w3.org/TR/scxml/#SCXMLEventProcessor';
/** That of the standard's appendix C.2; where messages go is the host's affair. */
const BASIC_HTTP = 'http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor';
const OWN_PROCESSORS = new Set([SCXML_PROCESSOR, 'scxml', 'http://www.w3.org/TR/scxml/']);
const ABSOLUTE_IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/;

/** Thrown inside a block whose remaining actions must not run; the error event is in the queue already. */
export class BlockEnded extends Error {}

type Outgoing = {
  readonly sendid: string;
  readonly target: string | null;
  readonly processor: string;
  readonly event: ChartEvent;
};

/** Runs `<send>` (standard 6.2). */
export function runSend(run: Run, send: CompiledSend): void {
  const sendid = send.id ?? `send.${makeName(run)}`;
  if (send.idLocation !== undefined) run.data = assignAt(run.data, send.idLocation.path(run), sendid);
  try {
    const outgoing = prepare(run, send, sendid);
    const delayMs = parseDelay(textOf(send.delay, run) ?? '0s');
    if (delayMs > 0) schedule(run, outgoing, delayMs);
    else deliver(run, outgoing);
  } catch (error) {
    if (error instanceof LimitReached || error instanceof BlockEnded) throw error;
    raiseError(run, 'error.execution', reasonOf(error), { sendid });
    throw new BlockEnded();
  }
}

/** Cancels the delayed sends of an id (standard 6.3). */
export function runCancel(run: Run, sendid: string | undefined): void {
  for (const timer of run.timers)
    if (timer.sendid === sendid) run.effects.push({ type: 'cancel-timer', timer: timer.id });
  run.timers = run.timers.filter((timer) => timer.sendid !== sendid);
}

function prepare(run: Run, send: CompiledSend, sendid: string): Outgoing {
  const processor = textOf(send.processor, run) ?? SCXML_PROCESSOR;
  const target = textOf(send.target, run) ?? null;
  checkTarget(processor, target);
  const data = payloadDespiteFaults(send.payload, run, (error) =>
    raiseError(run, 'error.execution', reasonOf(error), { sendid }),
  );
  const name = textOf(send.event, run) ?? '';
  const own = OWN_PROCESSORS.has(processor);
  return {
    sendid,
    target,
    processor: own ? SCXML_PROCESSOR : processor,
    event: makeEvent(run, { name, data, own, sendid: send.id ?? (send.idLocation === undefined ? undefined : sendid) }),
  };
}

function makeEvent(
  run: Run,
  parts: { name: string; data: Json; own: boolean; sendid: string | undefined },
): ChartEvent {
  return {
    name: parts.name,
    type: 'external',
    data: parts.data,
    origin: `#_scxml_${run.session.id}`,
    origintype: SCXML_PROCESSOR,
    ...(parts.sendid === undefined ? {} : { sendid: parts.sendid }),
  };
}

function checkTarget(processor: string, target: string | null): void {
  if (!OWN_PROCESSORS.has(processor)) {
    if (ABSOLUTE_IRI.test(processor)) return;
    throw new WarrantError('CHART_SEND_TYPE', 'the type of a send is the SCXML event processor or an absolute IRI');
  }
  if (target === null || target.startsWith('#_') || ABSOLUTE_IRI.test(target)) return;
  throw new WarrantError(
    'CHART_SEND_TARGET',
    'a target is #_internal, #_parent, #_<invoke>, #_scxml_<session> or an absolute IRI',
  );
}

function schedule(run: Run, outgoing: Outgoing, delayMs: number): void {
  if (outgoing.target === '#_internal')
    throw new WarrantError('CHART_SEND_DELAY', 'an internal event cannot be delayed');
  const timer = { id: makeName(run), due: dueAt(run.at, delayMs), ...outgoing };
  run.timers = [...run.timers, timer];
  run.effects.push({ type: 'schedule', timer: timer.id, due: timer.due });
}

/** Hands an event to where it goes now: a queue of this chart, or an effect. */
export function deliver(run: Run, outgoing: Outgoing): void {
  const { target, event, processor, sendid } = outgoing;
  if (target === '#_internal') return raise(run, { ...event, type: 'internal' });
  if (processor === SCXML_PROCESSOR && (target === null || target === `#_scxml_${run.session.id}`))
    return enqueue(run, event);
  if (!isReachable(run, processor, target)) {
    raiseError(run, 'error.communication', 'chart.unreachable', { sendid });
    throw new BlockEnded();
  }
  run.effects.push({ type: 'send', target: target ?? '', processor, event });
}

function isReachable(run: Run, processor: string, target: string | null): boolean {
  if (processor === BASIC_HTTP) return target !== null;
  if (processor !== SCXML_PROCESSOR || target === null || !target.startsWith('#_')) return true;
  if (target === '#_parent') return run.reachable.includes('#_parent');
  return run.reachable.includes(target) || run.invokes.some((invoke) => target === `#_${invoke.id}`);
}
