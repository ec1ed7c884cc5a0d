import type { MemoryEvent } from '../events.ts';
import type { Setup } from '../setup.ts';
import type { RatedSkill } from './look-around.ts';

/** Tells of each stale version once, whichever process looks first: a counter in the store remembers. @internal */
export async function tellStale(setup: Setup, rated: readonly RatedSkill[]): Promise<void> {
  const events: MemoryEvent[] = [];
  for (const { skill, health } of rated) {
    if (!health.stale) continue;
    const name = `stale/${skill.id}/${skill.version}/${skill.updatedAt}`;
    const told = (await setup.store.counters(name)).some((counter) => counter.name === name);
    if (told) continue;
    await setup.store.commit([{ type: 'count', name, by: 1, at: setup.now() }], { expected: {}, audit: [] });
    events.push({ type: 'skill-stale', skillId: skill.id, version: skill.version, health: health.score });
  }
  setup.hub.tell(events);
}
