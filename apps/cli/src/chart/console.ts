import { type Effect, enabledEvents, explain, parseDelay, renderExplanation } from '@warrant/chart';
import { createSession, type Session } from '@warrant/chart/session';
import { isWarrantError, WarrantError } from '@warrant/core';
import type { LoadedChart } from './load-chart.ts';
import { typedEvent } from './typed-event.ts';

/** One line of the conversation: what was typed, and what became of it. */
export type Turn = { readonly typed: string; readonly text: string; readonly configuration: readonly string[] };

export const CONSOLE_HELP = `  EVENT [DATA]    send an event, with data as JSON
  ? EVENT [DATA]  explain what the event would do
  +TIME           let time pass, such as +30s
  events          what the chart can take now
  data            the data
`;

export interface ChartConsole {
  readonly first: string;
  readonly session: Session;
  /** What a typed line does; mistakes are answered, not thrown. */
  readonly take: (line: string) => Turn;
}

/** A chart on a virtual clock that understands typed lines. */
export function createConsole({ chart, compile }: LoadedChart): ChartConsole {
  const effects: string[] = [];
  const session = createSession({
    chart,
    invoked: ({ chart: inner }) => {
      if (inner === null) throw new WarrantError('CLI_USAGE', 'only charts can be invoked here');
      return compile(inner);
    },
    onEffect: (id, effect) => void effects.push(...shown(id, effect)),
  });
  const take = (line: string): string => {
    const typed = line.trim();
    if (typed === 'data') return `${JSON.stringify(session.state().data)}\n`;
    if (typed === 'events') return offered(session, chart);
    if (typed === 'help') return CONSOLE_HELP;
    if (typed.startsWith('?')) return renderExplanation(explain(chart, session.state(), typedEvent(typed.slice(1))));
    if (typed.startsWith('+')) {
      session.advance(parseDelay(typed.slice(1)));
      return after(session, effects);
    }
    const event = typedEvent(typed);
    const explanation = explain(chart, session.state(), event);
    session.send(event);
    const moved = after(session, effects);
    return explanation.taken.length > 0 ? moved : `${renderExplanation(explanation)}${moved}`;
  };
  return {
    first: after(session, effects),
    session,
    take: (line) => ({ typed: line, text: answer(() => take(line)), configuration: session.state().configuration }),
  };
}

function answer(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return `${error.message}\n`;
  }
}

/** What happened since the last answer, then the active states. */
function after(session: Session, effects: string[]): string {
  const { status, configuration, timers } = session.state();
  const lines = effects.splice(0);
  const next = timers.map(({ due }) => due).sort()[0];
  const where = status === 'running' ? `[${configuration.join(', ')}]` : `(${status})`;
  return `${[...lines, `${where}${next === undefined ? '' : `  next timer ${next}`}`].join('\n')}\n`;
}

function shown(session: string, effect: Effect): readonly string[] {
  const from = session === 's1' ? '' : `${session} `;
  switch (effect.type) {
    case 'log':
      return [
        `  ${from}log ${effect.label ?? ''} ${effect.value === null ? '' : JSON.stringify(effect.value)}`.trimEnd(),
      ];
    case 'send':
      return [`  ${from}sends '${effect.event.name}' to ${effect.target === '' ? 'nobody' : effect.target}`];
    case 'invoke':
      return [`  ${from}invokes ${effect.id}`];
    case 'done':
      return [`  ${from}is done${effect.data === null ? '' : ` with ${JSON.stringify(effect.data)}`}`];
    case 'stopped':
      return [`  ${from}is stopped: ${effect.reason.message}`];
    default:
      return [];
  }
}

function offered(session: Session, chart: LoadedChart['chart']): string {
  const events = enabledEvents(chart, session.state());
  if (events.length === 0) return 'The chart can take no event now.\n';
  return `${events.map(({ event, conditional }) => (conditional ? `${event} (depends on its data)` : event)).join('\n')}\n`;
}
