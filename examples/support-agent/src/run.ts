import type { Journal } from '@warrant/core';
import { type AgentHost, type AgentState, createAgentHost, recordOf, streamOf } from '@warrant/decide';
import { type Outside, type SupportKit, supportKit, TICKET } from './kit.ts';

export const ACTOR = 'https://example.org/agents/support/1';

/** Runs the agent to its end, or on from where an earlier host left it. */
export async function runSupport(journal: Journal, outside: Outside, host = 'one'): Promise<AgentState> {
  const kit: SupportKit = supportKit(outside);
  const agents: AgentHost = createAgentHost({ ...kit, journal, host });
  try {
    await agents.spawn(ACTOR, 'support');
    await agents.send(ACTOR, { name: 'task', data: TICKET, id: 'ticket' });
    await agents.settled();
    return await agents.state(ACTOR);
  } finally {
    await agents.close();
  }
}

/** One line an entry: what came, and what was decided. */
export async function journalLines(journal: Journal, actor = ACTOR): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const entry of journal.read(streamOf(actor))) {
    const record = recordOf(entry);
    const told = record.type === 'input' ? record.facts.map(factLine).filter((line) => line !== '') : [];
    lines.push(
      `${String(entry.position).padStart(3)} ${entry.type.slice('agent.'.length).padEnd(12)} ${told.join('; ')}`.trimEnd(),
    );
  }
  return lines;
}

function factLine(fact: Extract<ReturnType<typeof recordOf>, { type: 'input' }>['facts'][number]): string {
  switch (fact.type) {
    case 'offered':
      return `offers ${fact.candidates.join(', ')} (${fact.correlation})`;
    case 'accepted':
      return `takes ${fact.event}`;
    case 'called':
      return `calls ${fact.name}`;
    case 'invalid':
      return `does not take ${fact.event}: ${fact.reason}`;
    default:
      return '';
  }
}
