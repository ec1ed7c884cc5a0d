import type { AgentRecord, Fact } from '@warrant/decide';

/** What an entry of an agent says, in one line. */
export function entryText(record: AgentRecord): string {
  if (record.type === 'takeover') return `${record.host} has ${record.effect} until ${record.until}`;
  if (record.type === 'forked') return `${record.timers.length} timers of the first run`;
  const { input, facts, rest } = record;
  const left = rest === undefined ? [] : [`${rest.facts} more: --chart FILE tells them`];
  return [...inputText(input), ...facts.map(factText), ...left].join('; ');
}

function inputText(input: Extract<AgentRecord, { type: 'input' }>['input']): readonly string[] {
  switch (input.type) {
    case 'event':
      return [`'${input.data.name}'`];
    case 'decision':
      return [`${input.data.correlation} answers '${input.data.event}'`];
    case 'refusal':
      return [`${input.data.correlation} refuses: ${input.data.reason}`];
    case 'timer':
      return [input.data.timer];
    case 'llm.result':
      return [`${input.data.effect} by ${input.data.model}`];
    case 'llm.error':
      return [`${input.data.effect} failed: ${input.data.class}`];
    case 'tool.result':
      return [
        `${input.data.effect} ${input.data.outcome === 'error' ? `failed: ${input.data.class}` : input.data.outcome}`,
      ];
    default:
      return [];
  }
}

function factText(fact: Fact): string {
  switch (fact.type) {
    case 'offered':
      return `offers ${fact.candidates.join(', ')} to ${fact.binding} as ${fact.correlation}`;
    case 'closed':
      return `closes ${fact.correlation} (${fact.why})`;
    case 'accepted':
      return `takes ${fact.event}`;
    case 'invalid':
      return `does not take ${fact.event} (${fact.reason})`;
    case 'refused':
      return `${fact.correlation} is refused`;
    case 'raised':
      return `raises ${fact.event}`;
    case 'called':
      return `calls ${fact.name} as ${fact.effect}`;
    case 'cancelled':
      return `gives up ${fact.effect}`;
    case 'granted':
      return `lets ${fact.effect} reach ${[...new Set(Object.values(fact.grant).flat())].join(', ')}`;
    case 'not-granted':
      return `may not reach ${fact.name}`;
    case 'plan':
      return `plan ${fact.outcome}${fact.class === undefined ? '' : ` (${fact.class})`}`;
    case 'version':
      return `version ${fact.outcome}`;
    case 'moved':
      return `[${fact.to.join(', ')}]`;
  }
}
