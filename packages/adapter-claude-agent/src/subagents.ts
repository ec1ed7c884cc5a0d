import { keptSession } from './handlers/apply.ts';
import type { HookCall, HookEvent, HookEventOf } from './hook-event.ts';
import type { Judgement } from './judge-call.ts';
import type { CallReading } from './read-call.ts';
import { type Called, initialSession, resumeSession, type SessionState } from './session-state.ts';
import type { Setup, SubagentRights } from './settings.ts';
import { matchesTool } from './tool-rule.ts';

const MOST_AGENTS = 500;
const LOST = { lost: true } as const;

/** Why a subagent may not make this call, or null. Its own bounds and those of everybody above it hold together. */
export async function notGranted(
  setup: Setup,
  event: HookEventOf<'tool-starting'>,
  reading: CallReading,
): Promise<Judgement | null> {
  const { subagents } = setup.options;
  if (subagents === undefined || event.agent === null) return null;
  const main = await keptSession(setup, { session: event.session, agent: null });
  const refused = kindsAbove(main, event, Object.keys(subagents))
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

/** The kind of the agent and of everybody who called it, or may have, nearest first; `all` where that is no longer known. */
function kindsAbove(main: SessionState | null, event: HookEvent, all: readonly string[]): readonly string[] {
  const agents = main?.agents ?? {};
  const kinds: string[] = [];
  const seen = new Set<string | null>([null]);
  const next: (string | null)[] = [event.agent];
  for (let agent = next.shift(); agent !== undefined; agent = next.shift()) {
    if (agent === null || seen.has(agent)) continue;
    seen.add(agent);
    const known = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
    kinds.push(known?.kind ?? event.kind ?? '');
    if (known === undefined && main?.lost === true) kinds.push(...all);
    if (known !== undefined) next.push(...callersOf(known));
  }
  return kinds;
}

function callersOf({ parent, orBy = [] }: Called): readonly (string | null)[] {
  return [parent, ...orBy];
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
  const kind = kindCalled(event.call);
  await change(setup, event, `spawn/${event.call.id ?? ''}`, (main) => {
    const spawns = [...main.spawns, { kind, parent: event.agent }];
    return { ...main, spawns: spawns.slice(-MOST_AGENTS), ...(spawns.length > MOST_AGENTS ? LOST : {}) };
  });
}

/** A call of a subagent that did not run after all: one less is still to begin. */
export async function notSpawned(setup: Setup, event: HookEvent, call: HookCall): Promise<void> {
  if (setup.options.subagents === undefined || !SPAWNS.has(call.tool)) return;
  const kind = kindCalled(call);
  await change(setup, event, `refused/${call.id ?? ''}`, (main) => {
    const at = main.spawns.findLastIndex((spawn) => spawn.kind === kind);
    return { ...main, spawns: main.spawns.filter((_spawn, index) => index !== at) };
  });
}

function kindCalled({ arguments: { subagent_type: kind } }: HookCall): string {
  return typeof kind === 'string' ? kind : '';
}

/** The subagent has begun. Where several called one like it, all of them bound it, and those that are still to begin. */
export async function begun(setup: Setup, event: HookEventOf<'subagent-started'>): Promise<void> {
  const { agent } = event;
  if (setup.options.subagents === undefined || agent === null) return;
  const kind = event.kind ?? '';
  await change(setup, event, `begun/${agent}`, (main) => {
    // Who calls one without a word gets one of the client's own choice.
    const isLike = (spawn: Called): boolean => spawn.kind === kind || spawn.kind === '';
    const [parent = null, ...orBy] = new Set(main.spawns.filter(isLike).flatMap(callersOf));
    const by = orBy.length === 0 ? { parent } : { parent, orBy };
    const begins = main.spawns.findIndex(isLike);
    const spawns = main.spawns.flatMap((spawn, index) => {
      if (index === begins) return [];
      return isLike(spawn) ? [{ kind: spawn.kind, ...by }] : [spawn];
    });
    const known = [...Object.entries(main.agents), [agent, { kind, ...by }] as const];
    const agents = Object.fromEntries(known.slice(-MOST_AGENTS));
    return { ...main, agents, spawns, ...(known.length > MOST_AGENTS ? LOST : {}) };
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
