import type { Journal } from '@warrant/core';
import { type AgentMachine, type Provenance, provenanceOf, readRecords, streamOf } from '@warrant/decide';

export type AgentStatus = {
  readonly actor: string;
  readonly position: number;
  readonly configuration: readonly string[];
  readonly open: readonly {
    readonly id: string;
    readonly state: string;
    readonly decider: string;
    readonly offered: readonly string[];
  }[];
  readonly waiting: readonly { readonly id: string; readonly what: string }[];
  /** What entries had no room for and no chart was given to find again. */
  readonly omitted: number;
  readonly usage: { readonly calls: number; readonly promptTokens: number; readonly completionTokens: number };
};

/** Where an agent is, from its journal alone; with its machine, also what entries had no room for. Undefined when there is none of that name. */
export async function agentStatus(
  journal: Journal,
  actor: string,
  machine?: AgentMachine,
): Promise<AgentStatus | undefined> {
  const head = await journal.head(streamOf(actor));
  if (head === undefined) return undefined;
  let configuration: readonly string[] = [];
  for await (const { record } of readRecords(journal, actor, { machine })) {
    if (record.type !== 'input') continue;
    for (const fact of record.facts) if (fact.type === 'moved') configuration = fact.to;
  }
  const provenance = await provenanceOf(journal, actor, undefined, machine);
  const open = provenance.decisions
    .filter(({ outcome }) => outcome === 'open')
    .map(({ id, state, decider, offered }) => ({ id, state, decider, offered }));
  return {
    actor,
    position: head.position,
    configuration,
    open,
    waiting: waitingIn(provenance),
    omitted: provenance.omitted,
    usage: usageOf(provenance),
  };
}

function waitingIn({ llmCalls, toolCalls }: Provenance): AgentStatus['waiting'] {
  return [
    ...llmCalls.filter(({ outcome }) => outcome === 'open').map(({ id, provider }) => ({ id, what: provider })),
    ...toolCalls.filter(({ outcome }) => outcome === 'open').map(({ id, tool }) => ({ id, what: tool })),
  ];
}

function usageOf({ decisions, llmCalls }: Provenance): AgentStatus['usage'] {
  const spent = [
    ...decisions.map(({ annotations }) => annotations.usage),
    ...llmCalls.map(({ usage }) => usage ?? undefined),
  ];
  const used = spent.flatMap((usage) => (usage === undefined ? [] : [usage]));
  return {
    calls: used.length,
    promptTokens: used.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    completionTokens: used.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
  };
}

export function statusText({ actor, position, configuration, open, waiting, omitted, usage }: AgentStatus): string {
  const { calls, promptTokens, completionTokens } = usage;
  return [
    `${actor}  [${configuration.join(', ')}]  ${position} entries`,
    ...open.map(
      ({ id, state, decider, offered }) => `  ${state} waits for ${decider}: ${offered.join(', ')}\n    ${id}`,
    ),
    ...waiting.map(({ id, what }) => `  waits for ${what}\n    ${id}`),
    ...(omitted === 0
      ? []
      : [`  ${omitted} more things were decided than entries had room for: --chart FILE tells them`]),
    ...(calls === 0 ? [] : [`  models: ${calls} calls, ${promptTokens} + ${completionTokens} tokens`]),
  ].join('\n');
}
