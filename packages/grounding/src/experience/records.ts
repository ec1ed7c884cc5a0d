import { type DepthLevel, foldName, type Json, type JsonObject } from '@warrant/core';
import { isDepthLevel } from '../levels.ts';
import type { TraceRecord } from '../trace.ts';

/** A level of a concept that something stood on. `concept` is a fold key. */
export type Exercised = { readonly concept: string; readonly level: DepthLevel };

/** One thing that happened to concepts: they were asked for, or an act on them ended. */
export type ExperienceRecord =
  | {
      readonly type: 'checked';
      readonly at: string;
      readonly grounded: readonly Exercised[];
      readonly failed: readonly Exercised[];
    }
  | {
      readonly type: 'acted';
      readonly at: string;
      readonly outcome: ActOutcome;
      readonly exercised: readonly Exercised[];
    };
/** How a guarded act ended: it ran and succeeded or failed, or it did not run. */
export type ActOutcome = 'ok' | 'error' | 'blocked' | 'declined' | 'ungrounded';

/** What a check says: each concept at the deepest level that an edge of the pathway used, gaps at the level they ask for. */
export function recordOfTrace(
  trace: Pick<TraceRecord, 'at' | 'minDepth' | 'resolved' | 'steps' | 'gaps'>,
): ExperienceRecord {
  const used = levels();
  for (const name of trace.resolved) used.add(name, trace.minDepth ?? 0);
  for (const { source, sourceDepth, target, targetDepth } of trace.steps) {
    used.add(source, sourceDepth);
    used.add(target, targetDepth);
  }
  const missed = levels();
  for (const gap of trace.gaps) {
    if (gap.type === 'depth') missed.add(gap.concept, gap.required);
    else if (gap.type === 'relational') missed.add(gap.target, gap.required);
    else missed.add(gap.concept, 0);
  }
  const failed = missed.list();
  const lacking = new Set(failed.map(({ concept }) => concept));
  return {
    type: 'checked',
    at: trace.at,
    grounded: used.list().filter(({ concept }) => !lacking.has(concept)),
    failed,
  };
}

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
type Running = { readonly exercised: readonly Exercised[]; readonly wasAsked: boolean };

/**
 * What guards recorded, one act at a time: an observation together with its verdict and the facts that the verdict names.
 * Where somebody else runs the call, as clients with hooks do, the gate's observation of the call stands for it. Keeps only
 * what is still needed, so that a journal of any length can go through. One reader reads one stream.
 */
export function createGuardReader(): (entry: JournalledEntry) => readonly ExperienceRecord[] {
  const facts = new Map<string, readonly Exercised[]>();
  const byVerdict = new Map<string, Running>();
  const verdictOf = new Map<string, string>();
  const verdict = ({ id, data, time: at, correlationId }: JournalledEntry): readonly ExperienceRecord[] => {
    const { outcome, facts: named } = asObject(data);
    const exercised = (typeof named === 'string' ? facts.get(named) : undefined) ?? [];
    if (outcome === 'run' || outcome === 'pending') {
      byVerdict.set(id, { exercised, wasAsked: outcome === 'pending' });
      if (correlationId !== undefined) verdictOf.set(correlationId, id);
    } else if (outcome === 'blocked' || outcome === 'declined' || outcome === 'ungrounded') {
      return [{ type: 'acted', at, outcome, exercised }];
    }
    return [];
  };
  const ended = (id: string | undefined, outcome: unknown, at: string): readonly ExperienceRecord[] => {
    const running = id === undefined ? undefined : byVerdict.get(id);
    if (id === undefined || running === undefined) return [];
    byVerdict.delete(id);
    const { exercised, wasAsked } = running;
    if (outcome === 'ok' || outcome === 'error') return [{ type: 'acted', at, outcome, exercised }];
    return outcome === 'not-run' && wasAsked ? [{ type: 'acted', at, outcome: 'declined', exercised }] : [];
  };
  return (entry) => {
    const content = asObject(entry.data);
    switch (entry.type) {
      case 'guard.facts':
        facts.set(entry.id, factsLevels(content));
        return [];
      case 'guard.verdict':
        return verdict(entry);
      case 'guard.observation':
        return ended(entry.causationId, content['outcome'], entry.time);
      case 'gate.observed': {
        const { callId, outcome } = asObject(content['event']);
        const call = typeof callId === 'string' ? callId : '';
        const id = verdictOf.get(call);
        verdictOf.delete(call);
        return ended(id, outcome, entry.time);
      }
      default:
        return [];
    }
  };
}

function factsLevels(facts: JsonObject): readonly Exercised[] {
  const used = levels();
  for (const name of asList(facts['resolved'])) if (typeof name === 'string') used.add(name, 0);
  for (const edge of asList(facts['edges'])) {
    const { source, sourceDepth, target, targetDepth } = asObject(edge);
    if (typeof source === 'string') used.add(source, sourceDepth);
    if (typeof target === 'string') used.add(target, targetDepth);
  }
  return used.list();
}

/** The deepest level of each concept. */
function levels() {
  const deepest = new Map<string, DepthLevel>();
  return {
    add: (name: string, level: unknown): void => {
      if (!isDepthLevel(level)) return;
      const concept = foldName(name);
      if (level >= (deepest.get(concept) ?? 0)) deepest.set(concept, level);
    },
    list: (): readonly Exercised[] => [...deepest].map(([concept, level]) => ({ concept, level })),
  };
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
