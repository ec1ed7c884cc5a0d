import {
  type ActorKey,
  type Cancel,
  type Clock,
  createIdSource,
  type DepthLevel,
  type GraphStore,
  type GraphView,
  type Grounder,
  type GroundingResult,
  type IdSource,
  isoTime,
  type Journal,
  type Json,
  lazyMember,
  systemClock,
  WarrantError,
} from '@warrant/core';
import { deepFreeze } from './freeze.ts';
import { type Decision, decide } from './ground.ts';
import { createLinker } from './linker.ts';
import { createMetricsBatch } from './metrics.ts';
import { checkName, checkQuery, type GroundQuery } from './query.ts';
import { checkEntries, GROUNDING_STREAM } from './record.ts';
import type { Trace, TraceSink } from './trace.ts';

/** How a grounder is set up. */
export type GrounderOptions = {
  readonly graph: GraphStore;
  /** Who asks when the query does not say. @default nobody */
  readonly actor?: ActorKey;
  /** Dates traces and records. @default the machine's clock */
  readonly clock?: Clock;
  /** Told of every check, without being waited for. @default none, so nothing is written anywhere */
  readonly trace?: TraceSink;
  /** Whether the store counts checks per concept. @default true */
  readonly metrics?: boolean;
  /** Where checks are recorded, durably before they are answered. @default none */
  readonly journal?: Pick<Journal, 'append'>;
  /** Takes secrets out of what is recorded; the check reads the original. @default nothing is taken out */
  readonly secrets?: { replace(value: Json): Json };
  /** Where the ids of records come from. @default time-ordered random ids */
  readonly ids?: IdSource;
  /** Told when a trace or a count could not be written; the check stands. @default nobody */
  readonly onFault?: (fault: WarrantError) => void;
};

/** A grounder over a store. Its results are frozen all the way down. */
export interface GraphGrounder extends Grounder {
  /** Waits for the traces under way and hands over the counts; call it before the process ends. */
  flush(): Promise<void>;
}

/**
 * Asks a store for a view and grounds on it. Ungrounded is a value; a store that cannot be read rejects the check, so that
 * whoever asked fails closed.
 */
export function createGrounder(options: GrounderOptions): GraphGrounder {
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? createIdSource({ clock });
  const traces = new Set<Promise<void>>();
  const link = createLinker();
  const onFault = (code: string, message: string) => (cause: unknown) => tell(options, code, message, cause);
  const metrics =
    options.metrics === false
      ? undefined
      : createMetricsBatch(options.graph, onFault('GROUNDING_METRICS_FAILED', 'a check could not be counted'));
  const traceFault = onFault('GROUNDING_TRACE_FAILED', 'a trace could not be written');

  const sendTrace = (sink: TraceSink, trace: Trace) => {
    try {
      const written = sink.write(trace);
      if (written === undefined) return;
      const settled: Promise<void> = Promise.resolve(written)
        .catch(traceFault)
        .finally(() => traces.delete(settled));
      traces.add(settled);
    } catch (error) {
      traceFault(error);
    }
  };

  const publish = async (query: Asked, view: GraphView, result: GroundingResult, cancel: Cancel | undefined) => {
    const at = isoTime(clock);
    if (options.journal !== undefined) {
      const { secrets } = options;
      const replace = secrets === undefined ? {} : { replace: (value: Json) => secrets.replace(value) };
      await record(options.journal, { id: ids.next(), at, view, query, result, ...replace }, cancel);
    }
    if (options.trace !== undefined) {
      const { actor = null, concepts, minDepth = null } = query;
      sendTrace(options.trace, deepFreeze({ at, actor, query: { concepts, minDepth }, result }));
    }
  };

  return {
    check: async (query, cancel) => {
      checkQuery(query);
      query.concepts.forEach(checkName);
      const asked = queryOf(query, options.actor);
      // No store holds a concept without a name, and stores refuse to look for one.
      const names = asked.concepts.filter((concept) => concept !== '');
      const view = await options.graph.view(names, cancelOf(cancel));
      const result = resultOf(decide(link(view), asked), view);
      if (options.journal !== undefined || options.trace !== undefined) await publish(asked, view, result, cancel);
      metrics?.add(result);
      return result;
    },
    flush: async () => {
      metrics?.flush();
      while (traces.size > 0) await Promise.all(traces);
    },
  };
}

type Asked = { readonly concepts: readonly string[]; readonly minDepth?: DepthLevel; readonly actor?: ActorKey };

/** A copy, so that a caller who changes the query while the store is asked changes nothing. */
function queryOf({ concepts, minDepth, actor }: GroundQuery, standing: ActorKey | undefined): Asked {
  const who = actor ?? standing;
  return {
    concepts: [...concepts],
    ...(minDepth === undefined ? {} : { minDepth }),
    ...(who === undefined ? {} : { actor: who }),
  };
}

/**
 * Elements of the pathway and primitives come frozen; lists, gaps and the result itself are frozen here. The view's digest
 * is worked out when it is asked for: most checks are neither recorded nor confirmed.
 */
function resultOf(
  { grounded, resolved, gaps, pathway, primitives, informed }: Decision,
  view: GraphView,
): GroundingResult {
  for (const gap of gaps) deepFreeze(gap);
  const result = {
    grounded,
    resolved: Object.freeze(resolved),
    gaps: Object.freeze(gaps),
    pathway: Object.freeze(pathway),
    primitives: Object.freeze(primitives),
    ...(informed === undefined ? {} : { informed: deepFreeze(informed) }),
    graph: Object.freeze(view.version),
  };
  return Object.freeze(withView(result, view));
}

const withView = lazyMember('view', (view: GraphView) => view.digest);

async function record(
  journal: Pick<Journal, 'append'>,
  check: Parameters<typeof checkEntries>[0],
  cancel: Cancel | undefined,
): Promise<void> {
  try {
    await journal.append(GROUNDING_STREAM, checkEntries(check), { expected: 'any', ...cancelOf(cancel) });
  } catch (cause) {
    throw new WarrantError('GROUNDING_NOT_RECORDED', 'a check was not answered because it could not be recorded', {
      data: { stream: GROUNDING_STREAM, id: check.id },
      cause,
      retryable: true,
    });
  }
}

function tell({ onFault }: GrounderOptions, code: string, message: string, cause: unknown): void {
  try {
    onFault?.(new WarrantError(code, message, { cause, retryable: true }));
  } catch {
    // A listener that fails changes no verdict.
  }
}

function cancelOf(cancel: Cancel | undefined): Cancel {
  return cancel?.signal === undefined ? {} : { signal: cancel.signal };
}
