import type { Json, JsonObject, Primitive } from '@warrant/core';
import { ground } from '../ground.ts';
import { isDepthLevel } from '../levels.ts';
import { stepsOf } from '../trace.ts';
import { viewOf } from '../view-of.ts';
import { type ActOutcome, type Exercised, type ExperienceRecord, levels, recordOfTrace } from './records.ts';

/** An entry of a journal, as much of it as matters here. */
export type JournalledEntry = {
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly time: string;
  readonly correlationId?: string;
  readonly causationId?: string;
};

/** What a verdict let happen, or left to a person outside. */
type Running = { readonly stoodOn: readonly Exercised[]; readonly wasAsked: boolean };
/** What was stood on, and what was missing. */
type Levels = { readonly used: readonly Exercised[]; readonly lacking: readonly Exercised[] };
/** Content by its digest, as guards record it. */
type Contents = {
  readonly facts: Map<string, JsonObject>;
  readonly views: Map<string, JsonObject>;
  readonly primitives: Map<string, Json>;
  /** By view, names and floor: one closure is judged once. */
  readonly judged: Map<string, Levels>;
};

/**
 * What guards recorded, one act at a time: an observation together with its verdict and the view that the verdict names,
 * on which the check is made again. Where somebody else runs the call, as clients with hooks do, the gate's observation of
 * the call stands for it. Keeps only what is still needed, so that a journal of any length can go through. One reader
 * reads one stream.
 */
export function createGuardReader(): (entry: JournalledEntry) => readonly ExperienceRecord[] {
  const contents: Contents = { facts: new Map(), views: new Map(), primitives: new Map(), judged: new Map() };
  const acts = createActs(contents);
  return (entry) => {
    const { id, type, data, time } = entry;
    switch (type) {
      case 'graph.primitive':
        contents.primitives.set(id, data);
        return [];
      case 'graph.view':
        contents.views.set(id, asObject(data));
        return [];
      case 'guard.facts':
        contents.facts.set(id, asObject(data));
        return [];
      case 'guard.verdict':
        return acts.judged(entry);
      case 'guard.observation':
        return acts.ended(entry.causationId, asObject(data)['outcome'], time);
      case 'gate.observed': {
        const { callId, outcome } = asObject(asObject(data)['event']);
        return acts.ended(acts.takeVerdictOf(callId), outcome, time);
      }
      default:
        return [];
    }
  };
}

/** Acts between their verdict and their end. */
function createActs(contents: Contents) {
  const byVerdict = new Map<string, Running>();
  const verdictOf = new Map<string, string>();
  return {
    judged: ({ id, data, time: at, correlationId }: JournalledEntry): readonly ExperienceRecord[] => {
      const content = asObject(data);
      const { outcome } = content;
      if (outcome === 'run' || outcome === 'pending') {
        byVerdict.set(id, { stoodOn: levelsOf(content, contents).used, wasAsked: outcome === 'pending' });
        if (correlationId !== undefined) verdictOf.set(correlationId, id);
        return [];
      }
      if (outcome === 'ungrounded') return acted(at, outcome, levelsOf(content, contents).lacking);
      if (outcome === 'blocked' || outcome === 'declined') return acted(at, outcome, levelsOf(content, contents).used);
      return [];
    },
    takeVerdictOf: (call: Json | undefined): string | undefined => {
      if (typeof call !== 'string') return undefined;
      const id = verdictOf.get(call);
      verdictOf.delete(call);
      return id;
    },
    ended: (verdict: string | undefined, outcome: unknown, at: string): readonly ExperienceRecord[] => {
      const running = verdict === undefined ? undefined : byVerdict.get(verdict);
      if (verdict === undefined || running === undefined) return [];
      byVerdict.delete(verdict);
      if (outcome === 'ok' || outcome === 'error') return acted(at, outcome, running.stoodOn);
      return outcome === 'not-run' && running.wasAsked ? acted(at, 'declined', running.stoodOn) : [];
    },
  };
}

function acted(at: string, outcome: ActOutcome, exercised: readonly Exercised[]): readonly ExperienceRecord[] {
  return [{ type: 'acted', at, outcome, exercised }];
}

/** By the view that was recorded; where it was not, by the edges that the policies were asked about. */
function levelsOf(verdict: JsonObject, contents: Contents): Levels {
  const { facts: named, inputs, minDepth = null } = verdict;
  const facts = (typeof named === 'string' ? contents.facts.get(named) : undefined) ?? {};
  const { view } = asObject(inputs);
  const recorded = typeof view === 'string' ? contents.views.get(view) : undefined;
  if (recorded === undefined) return levelsOfFacts(facts);
  const key = JSON.stringify([view as string, facts['resolved'] ?? null, minDepth]);
  const known = contents.judged.get(key);
  if (known !== undefined) return known;
  const found = levelsOfView(recorded, facts, minDepth, contents) ?? levelsOfFacts(facts);
  contents.judged.set(key, found);
  return found;
}

function levelsOfView(view: JsonObject, facts: JsonObject, minDepth: Json, contents: Contents): Levels | undefined {
  const concepts = textsOf(facts['resolved']);
  const primitives = textsOf(view['primitives']).map((id) => contents.primitives.get(id));
  if (concepts.length === 0 || primitives.includes(undefined)) return undefined;
  try {
    const snapshot = { names: textsOf(view['names']), primitives: primitives as unknown as readonly Primitive[] };
    const result = ground(viewOf(snapshot), { concepts, ...(isDepthLevel(minDepth) ? { minDepth } : {}) });
    const { resolved, gaps } = result;
    const told = recordOfTrace({
      at: '',
      minDepth: isDepthLevel(minDepth) ? minDepth : null,
      resolved,
      steps: stepsOf(result),
      gaps,
    });
    return told.type === 'checked' ? { used: told.grounded, lacking: told.failed } : undefined;
  } catch {
    // A record of another make, or damaged: the facts still tell something.
    return undefined;
  }
}

function levelsOfFacts(facts: JsonObject): Levels {
  const used = levels();
  for (const name of textsOf(facts['resolved'])) used.add(name, 0);
  for (const edge of asList(facts['edges'])) {
    const { source, sourceDepth, target, targetDepth } = asObject(edge);
    if (typeof source === 'string') used.add(source, sourceDepth);
    if (typeof target === 'string') used.add(target, targetDepth);
  }
  const list = used.list();
  return { used: list, lacking: list };
}

function textsOf(value: Json | undefined): readonly string[] {
  return asList(value).flatMap((one) => (typeof one === 'string' ? [one] : []));
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
