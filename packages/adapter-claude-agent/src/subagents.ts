import type { HookEvent, HookEventOf } from './hook-event.ts';
import type { Judgement } from './judge-call.ts';
import type { CallReading } from './read-call.ts';
import { initialSession, resumeSession, type SessionState } from './session-state.ts';
import type { Setup, SubagentRights } from './settings.ts';
import { matchesTool } from './tool-rule.ts';

const MOST_AGENTS = 500;
const DEEPEST = 20;

/** Why a subagent may not make this call, or null. Its own bounds and those of everybody above it hold together. */
export async function notGranted(
  setup: Setup,
  event: HookEventOf<'tool-starting'>,
  reading: CallReading,
): Promise<Judgement | null> {
  const { subagents, store } = setup.options;
  if (subagents === undefined || event.agent === null) return null;
  const main = await store.load({ session: event.session, agent: null });
  const refused = kindsAbove(main, event)
    .map((kind) => ({ kind, why: refusedBy(rightsOf(subagents, kind), event.call.tool, reading) }))
    .find(({ why }) => why !== null);
  if (refused === undefined) return null;
  return {
    type: 'blocked',
    text: `REFUSED: a subagent of the kind ${JSON.stringify(refused.kind)} has no right to this call; ${refused.why}; it has not run.`,
    codes: ['claude.not-granted'],
    records: [],
    confirmations: [],
  };
}

/** The kind of the agent and of everybody who called it, nearest first. */
function kindsAbove(main: SessionState | null, event: HookEvent): readonly string[] {
  const agents = main?.agents ?? {};
  const kinds: string[] = [];
  let agent = event.agent;
  for (let depth = 0; agent !== null && depth < DEEPEST; depth += 1) {
    const known: { readonly kind: string; readonly parent: string | null } | undefined = agents[agent];
    kinds.push(known?.kind ?? event.kind ?? '');
    agent = known?.parent ?? null;
  }
  return kinds;
}

function rightsOf(subagents: { readonly [kind: string]: SubagentRights }, kind: string): SubagentRights {
  return (Object.hasOwn(subagents, kind) ? subagents[kind] : subagents['*']) ?? {};
}

function refusedBy({ tools, concepts }: SubagentRights, tool: string, reading: CallReading): string | null {
  if (tools !== undefined && !tools.some((pattern) => matchesTool(pattern, tool)))
    return 'the tool is not among its own';
  const beyond = concepts === undefined ? [] : reading.concepts.filter((concept) => !concepts.includes(concept));
  return beyond.length === 0 ? null : `it may not touch ${beyond.join(', ')}`;
}

const SPAWNS: ReadonlySet<string> = new Set(['Task', 'Agent']);

/** A call of a subagent: who calls it is known only now. */
export async function spawned(setup: Setup, event: HookEventOf<'tool-starting'>): Promise<void> {
  if (setup.options.subagents === undefined || !SPAWNS.has(event.call.tool)) return;
  const kind = event.call.arguments['subagent_type'];
  await change(setup, event, `spawn/${event.call.id ?? ''}`, (main) => ({
    ...main,
    spawns: [...main.spawns, { kind: typeof kind === 'string' ? kind : '', parent: event.agent }].slice(-MOST_AGENTS),
  }));
}

/** The subagent has begun: its parent is the first that called one of its kind. */
export async function begun(setup: Setup, event: HookEventOf<'subagent-started'>): Promise<void> {
  const { agent } = event;
  if (setup.options.subagents === undefined || agent === null) return;
  const kind = event.kind ?? '';
  await change(setup, event, `begun/${agent}`, (main) => {
    const at = main.spawns.findIndex((spawn) => spawn.kind === kind);
    const parent = at < 0 ? null : (main.spawns[at]?.parent ?? null);
    const agents = Object.fromEntries(
      [...Object.entries(main.agents), [agent, { kind, parent }] as const].slice(-MOST_AGENTS),
    );
    return { ...main, agents, spawns: main.spawns.filter((_spawn, index) => index !== at) };
  });
}

/** A change of the session itself on behalf of an event of one of its agents, once. */
async function change(
  setup: Setup,
  { session, source }: HookEvent,
  name: string,
  work: (main: SessionState) => SessionState,
): Promise<void> {
  const event = `${session}//subagents/${name}`;
  await setup.options.store.update({ session, agent: null }, (state, knows) => {
    if (knows(event) !== null) return { type: 'known' };
    const main = state === null ? initialSession(setup.gate) : resumeSession(setup.gate, state);
    const told = { content: '', sources: [source], mode: setup.mode };
    return { type: 'done', event, told, state: work(main), records: [], value: null };
  });
}
