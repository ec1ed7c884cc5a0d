import {
  type ActorKey,
  type DepthLevel,
  digest,
  type Entry,
  type GraphView,
  type GroundingResult,
  type Json,
  type Primitive,
  WarrantError,
} from '@warrant/core';
import { ground } from './ground.ts';
import { traceRecord } from './trace.ts';
import { viewContent, viewOf } from './view-of.ts';

/** The stream to which checks are appended. */
export const GROUNDING_STREAM = 'grounding';

/** What a check read and answered, to be recomputed at any time. */
export type CheckRecord = {
  readonly query: {
    readonly concepts: readonly string[];
    readonly minDepth?: DepthLevel;
    readonly actor?: ActorKey;
  };
  readonly result: GroundingResult;
  readonly primitives: readonly Primitive[];
};

/**
 * A check as journal entries: the view and its primitives by content, known ones skipped by the journal, then the check.
 * Content that holds a secret would no longer stand under its own digest: that view is named, and not recorded.
 */
export function checkEntries(options: {
  readonly id: string;
  readonly at: string;
  readonly view: GraphView;
  readonly query: CheckRecord['query'];
  readonly result: GroundingResult;
  /** Takes secrets out of what is stored. @default nothing is taken out */
  readonly replace?: (value: Json) => Json;
}): readonly Entry[] {
  const { id, at, view, query, result, replace = (value: Json) => value } = options;
  const { actor = null, concepts, minDepth = null } = query;
  const trace = traceRecord({ at, actor, query: { concepts, minDepth }, result });
  return [
    ...viewEntries(view, result.view, replace),
    {
      id,
      type: 'grounding.checked',
      data: replace(trace),
      schemaVersion: 1,
      ...(query.actor === undefined ? {} : { agentId: query.actor }),
    },
  ];
}

function viewEntries(view: GraphView, name: string, replace: (value: Json) => Json): readonly Entry[] {
  const snapshot = view.snapshot();
  const distinct = new Map<string, Entry>();
  for (const primitive of snapshot.primitives) {
    const data = primitive as Json;
    const id = digest(data);
    const clean = replace(data);
    if (clean !== data && digest(clean) !== id) return [];
    distinct.set(id, { id, type: 'graph.primitive', data, schemaVersion: 1 });
  }
  const content = viewContent(snapshot);
  const clean = replace(content);
  if (clean !== content && digest(clean) !== digest(content)) return [];
  return [...distinct.values(), { id: name, type: 'graph.view', data: content, schemaVersion: 1 }];
}

/** What recomputing a check showed. */
export type Replayed = { readonly same: boolean; readonly recorded: RecordedVerdict; readonly now: GroundingResult };
/** What the entry of a check says of its answer. */
export type RecordedVerdict = Pick<GroundingResult, 'grounded' | 'resolved' | 'gaps' | 'graph' | 'view'>;

/**
 * Recomputes a recorded check from its entries alone (those of {@link checkEntries}, in any order, others ignored).
 * @throws GROUNDING_RECORD_INCOMPLETE when the check, its view or a primitive is not among them.
 */
export function replayCheck(entries: readonly Pick<Entry, 'id' | 'type' | 'data'>[], id: string): Replayed {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const entry = (wanted: string, type: string) => {
    const found = byId.get(wanted);
    if (found?.type === type) return found.data;
    throw new WarrantError('GROUNDING_RECORD_INCOMPLETE', `the record of a check lacks its ${type}`, {
      data: { id: wanted, type },
    });
  };
  const trace = entry(id, 'grounding.checked') as unknown as ReturnType<typeof traceRecord>;
  const { names, primitives } = entry(trace.view, 'graph.view') as unknown as ReturnType<typeof viewContent>;
  const { concepts, minDepth } = trace;
  const snapshot = {
    names,
    primitives: primitives.map((wanted) => entry(wanted, 'graph.primitive') as unknown as Primitive),
  };
  const now = ground(
    viewOf(snapshot, { version: trace.graph }),
    minDepth === null ? { concepts } : { concepts, minDepth },
  );
  const { grounded, resolved, gaps, graph, view } = trace;
  const recorded = { grounded, resolved, gaps, graph, view: view as RecordedVerdict['view'] };
  return { same: digest(verdict(now)) === digest(verdict(recorded)), recorded, now };
}

function verdict({ grounded, resolved, gaps, graph, view }: RecordedVerdict): Json {
  return { grounded, resolved, gaps, graph, view };
}
