import type { Action, ChartIr, Content, DataItem, InvokeIr, Param, SendIr, StateIr } from '@warrant/chart';
import {
  itemAt,
  joinReads,
  membersOf,
  READS_EVERYTHING,
  READS_NOTHING,
  type Reads,
  readsIn,
  readsItem,
} from './reads.ts';

/** What the payload of a message or call is made of, as a whole and field by field. */
export type PayloadFlow = {
  readonly whole: Reads;
  readonly fields: ReadonlyMap<string, Reads>;
};
type SendFlow = PayloadFlow & {
  /** Null where an expression says it. */
  readonly event: string | null;
  readonly target: string | null;
};

/** Where values of a chart go: found once from its text, whatever it does later. */
export type Flows = {
  /** By data item, everything that any assignment to it reads. */
  readonly items: ReadonlyMap<string, Reads>;
  /** By data item, what its first value reads. */
  readonly initial: ReadonlyMap<string, Reads>;
  /** Everything that messages of the chart to itself are made of; null when it sends none. */
  readonly toItself: Reads | null;
  readonly sends: readonly SendFlow[];
};

/** Follows every assignment, loop and message of a chart; invoked charts have flows of their own. */
export function flowsOf(chart: ChartIr): Flows {
  const items = new Map<string, Reads[]>();
  const initial = new Map<string, Reads>();
  const sends: SendFlow[] = [];
  const note = (item: string, reads: Reads) => void items.set(item, [...(items.get(item) ?? []), reads]);
  const noteFirst = (item: DataItem) => {
    const reads = firstReads(item);
    initial.set(item.id, reads);
    note(item.id, reads);
  };
  chart.data.forEach(noteFirst);
  const walk = (states: readonly StateIr[]): void => {
    for (const state of states) {
      state.data.forEach(noteFirst);
      eachAction(actionsOf(state), (action) => noteAction(action, note, sends));
      walk(state.states);
    }
  };
  walk(chart.states);
  const own = sends.filter(({ target }) => target === null || target === '' || target.startsWith('#_'));
  return {
    items: new Map([...items].map(([name, reads]) => [name, joinReads(reads)])),
    initial,
    toItself: own.length === 0 ? null : joinReads(own.map(({ whole }) => whole)),
    sends,
  };
}

type Note = (item: string, reads: Reads) => void;

function firstReads({ expr, src }: DataItem): Reads {
  if (src !== undefined) return READS_EVERYTHING;
  return expr === undefined ? READS_NOTHING : readsIn(expr);
}

function noteAction(action: Action, note: Note, sends: SendFlow[]): void {
  if (action.type === 'assign') {
    const at = itemAt(action.location);
    const reads = action.expr === undefined ? READS_NOTHING : readsIn(action.expr);
    if (at === undefined) note('', READS_EVERYTHING);
    // What lies beside the assigned part stays.
    else note(at.item, at.whole ? reads : joinReads([reads, readsItem(at.item), readsIn(action.location)]));
  } else if (action.type === 'foreach') {
    note(action.item, readsIn(action.array));
    if (action.index !== undefined) note(action.index, READS_NOTHING);
  } else if (action.type === 'send') {
    const { event, target, targetExpr, eventExpr } = action;
    sends.push({
      ...payloadFlow(action),
      event: eventExpr === undefined ? (event ?? null) : null,
      target: targetExpr === undefined ? (target ?? '') : null,
    });
  }
}

/** What a send or an invoke hands on. */
export function payloadFlow({
  namelist = [],
  params = [],
  content,
}: Pick<SendIr | InvokeIr, 'namelist' | 'params' | 'content'>): PayloadFlow {
  const fields = new Map<string, Reads>();
  for (const name of namelist) fields.set(name, readsItem(itemAt(name)?.item ?? name));
  for (const param of params)
    fields.set(param.name, joinReads([fields.get(param.name) ?? READS_NOTHING, readsOfParam(param)]));
  const inContent = contentFlow(content);
  for (const [name, reads] of inContent.fields) fields.set(name, reads);
  return { whole: joinReads([inContent.whole, ...fields.values()]), fields };
}

function readsOfParam({ expr, location }: Param): Reads {
  const parts = [expr, location].flatMap((source) => (source === undefined ? [] : [readsIn(source)]));
  const at = location === undefined ? undefined : itemAt(location);
  return joinReads(at === undefined ? [READS_NOTHING, ...parts] : [readsItem(at.item), ...parts]);
}

function contentFlow(content: Content | { readonly chart: ChartIr } | undefined): PayloadFlow {
  if (content === undefined || !('expr' in content)) return { whole: READS_NOTHING, fields: new Map() };
  const members = membersOf(content.expr) ?? [];
  return {
    whole: readsIn(content.expr),
    fields: new Map(members.map(([name, expr]) => [name, readsIn(expr)])),
  };
}

/** The actions in a state's own content, without those inside of others. */
export function actionsOf(state: StateIr): readonly Action[] {
  const { onEntry, onExit, transitions, initial, invokes } = state;
  const started = initial !== undefined && 'content' in initial ? initial.content : [];
  return [
    ...onEntry.flat(),
    ...onExit.flat(),
    ...transitions.flatMap(({ content }) => content),
    ...started,
    ...invokes.flatMap(({ finalize = [] }) => finalize),
  ];
}

/** Visits actions and those inside of them. */
export function eachAction(actions: readonly Action[], visit: (action: Action) => void): void {
  for (const action of actions) {
    visit(action);
    if (action.type === 'if') for (const { content } of action.branches) eachAction(content, visit);
    if (action.type === 'foreach') eachAction(action.content, visit);
  }
}
