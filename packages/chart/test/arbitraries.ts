import fc from 'fast-check';
import type { Action, Block, ChartIr, InvokeIr, StateIr, TransitionIr } from '../src/ir.ts';

/** Picks a whole number below the bound. */
export type Pick = (bound: number) => number;

export const EVENTS = ['a', 'b', 'a.x', 'c', 'done.state.s1', 'i'];

type Mutable = { -readonly [Key in keyof StateIr]: StateIr[Key] };
type Draft = { readonly state: Mutable; readonly children: Draft[]; readonly parent: Draft | undefined };

/** Charts with parallel regions, histories, guards, timers and invokes; every one is legal, some states cannot be reached. */
export const chartArbitrary: fc.Arbitrary<ChartIr> = fc
  .infiniteStream(fc.nat({ max: 10_000 }))
  .map((stream) => makeChart((bound) => (stream.next().value as number) % bound));

export function makeChart(pick: Pick): ChartIr {
  const drafts: Draft[] = [];
  const count = 1 + pick(3);
  const top = Array.from({ length: count }, () => makeState(pick, drafts, undefined, 0));
  if (pick(4) === 0) top.push(leaf(drafts, 'final', undefined));
  for (const draft of drafts) connect(pick, draft, drafts);
  return {
    name: 'generated',
    datamodel: 'cel',
    binding: pick(5) === 0 ? 'late' : 'early',
    data: [
      { id: 'n', value: 0 },
      { id: 'list', expr: '[1, 2]' },
    ],
    states: top.map(finish),
    ...(pick(3) === 0
      ? { extensions: [{ namespace: 'https://example.org/x#', local: 'note', attribute: 'a <"b"> & c\n' }] }
      : {}),
  };
}

function leaf(drafts: Draft[], type: StateIr['type'], parent: Draft | undefined): Draft {
  const state: Mutable = {
    type,
    id: `s${drafts.length}`,
    transitions: [],
    onEntry: [],
    onExit: [],
    data: [],
    invokes: [],
    states: [],
  };
  const draft: Draft = { state, children: [], parent };
  drafts.push(draft);
  return draft;
}

function makeState(pick: Pick, drafts: Draft[], parent: Draft | undefined, depth: number): Draft {
  const kind = depth >= 3 || drafts.length > 14 ? 0 : pick(5);
  const draft = leaf(drafts, kind === 4 ? 'parallel' : 'state', parent);
  const children = kind < 2 ? 0 : kind === 4 ? 2 + pick(2) : 1 + pick(3);
  for (let index = 0; index < children; index += 1) draft.children.push(makeState(pick, drafts, draft, depth + 1));
  if (children > 0 && kind !== 4 && pick(3) === 0) draft.children.push(leaf(drafts, 'final', draft));
  if (children > 0 && pick(2) === 0) draft.children.push(makeHistory(pick, drafts, draft));
  return draft;
}

function makeHistory(pick: Pick, drafts: Draft[], parent: Draft): Draft {
  const history = leaf(drafts, 'history', parent);
  history.state.history = pick(2) === 0 ? 'deep' : 'shallow';
  return history;
}

function below(draft: Draft): readonly Draft[] {
  return draft.children.flatMap((child) => [child, ...below(child)]);
}

function connect(pick: Pick, draft: Draft, drafts: readonly Draft[]): void {
  const { state } = draft;
  if (state.type === 'history') {
    const siblings = (draft.parent?.children ?? []).filter((one) => one.state.type !== 'history');
    const targets = state.history === 'deep' ? siblings.flatMap((one) => [one, ...below(one)]) : siblings;
    const real = targets.filter((one) => one.state.type !== 'history');
    state.transitions = [{ events: [], targets: [idOf(real, pick)], type: 'external', content: logged(pick, 'h') }];
    return;
  }
  state.onEntry = [[{ type: 'log', label: `+${state.id}` }, ...actions(pick)]];
  state.onExit = [[{ type: 'log', label: `-${state.id}` }]];
  if (state.type === 'final') {
    if (pick(2) === 0) state.doneData = { params: [{ name: 'n', expr: 'ctx.n' }] };
    return;
  }
  if (state.type === 'state' && draft.children.length > 0 && pick(2) === 0) state.initial = initialOf(pick, draft);
  state.transitions = Array.from({ length: pick(4) }, () => makeTransition(pick, drafts));
  if (pick(5) === 0) state.invokes = [makeInvoke(pick, state.id ?? '')];
}

function initialOf(pick: Pick, draft: Draft): NonNullable<StateIr['initial']> {
  const target = idOf(
    below(draft).filter((one) => one.state.type !== 'history'),
    pick,
  );
  if (pick(2) === 0) return [target];
  return { events: [], targets: [target], type: 'external', content: logged(pick, 'initial') };
}

function idOf(drafts: readonly Draft[], pick: Pick): string {
  return drafts[pick(drafts.length)]?.state.id ?? '';
}

const CONDITIONS = [
  'ctx.n < 3.0',
  'ev.data == 1',
  "In('s2')",
  'ctx.n > 100.0',
  'ctx.missing == 1',
  "ev.name == 'a'",
  'size(ctx.list) > 0',
  'has(ev.data.x)',
];

function makeTransition(pick: Pick, drafts: readonly Draft[]): TransitionIr {
  const targets = pick(6) === 0 ? [] : targetsOf(pick, drafts);
  const isEventless = pick(8) === 0;
  const cond = isEventless ? 'ctx.n < 4.0' : pick(2) === 0 ? CONDITIONS[pick(CONDITIONS.length)] : undefined;
  const bump: readonly Action[] = isEventless ? [{ type: 'assign', location: 'n', expr: 'ctx.n + 1.0' }] : [];
  const names = [...EVENTS, '*', 'a.*'];
  return {
    events: isEventless ? [] : [names[pick(names.length)] ?? '', ...(pick(5) === 0 ? ['b'] : [])],
    ...(cond === undefined ? {} : { cond }),
    targets,
    type: pick(3) === 0 ? 'internal' : 'external',
    content: [...bump, ...logged(pick, 't')],
  };
}

/** One state, or two in different regions of a parallel. */
function targetsOf(pick: Pick, drafts: readonly Draft[]): readonly string[] {
  const parallels = drafts.filter((draft) => draft.state.type === 'parallel');
  const parallel = parallels[pick(Math.max(1, parallels.length))];
  if (parallel === undefined || pick(3) > 0) return [idOf(drafts, pick)];
  const regions = parallel.children.filter((child) => child.state.type !== 'history');
  return regions.slice(0, 2).map((region) => idOf([region, ...below(region)], pick));
}

function makeInvoke(pick: Pick, state: string): InvokeIr {
  return {
    processor: 'https://example.org/service',
    ...(pick(2) === 0 ? { id: `inv-${state}` } : {}),
    autoforward: pick(2) === 0,
    params: [{ name: 'n', expr: 'ctx.n' }],
    ...(pick(2) === 0 ? { finalize: [{ type: 'assign', location: 'n', expr: '2.0' }] } : {}),
  };
}

function logged(pick: Pick, label: string): Block {
  return [{ type: 'log', label, expr: 'ctx.n' }, ...actions(pick)];
}

function actions(pick: Pick): Block {
  switch (pick(12)) {
    case 0:
      return [{ type: 'raise', event: 'i' }];
    case 1:
      return [{ type: 'send', event: 'b', id: 'timer', delay: '2s', params: [{ name: 'x', expr: 'ctx.n' }] }];
    case 2:
      return [{ type: 'cancel', sendId: 'timer' }];
    case 3:
      return [{ type: 'send', event: 'c', content: { value: { x: [1, 'two', null] } } }];
    case 4:
      return [{ type: 'assign', location: 'ctx.nowhere.at', expr: '1' }];
    case 5:
      return [
        {
          type: 'if',
          branches: [
            { cond: 'ctx.n > 1.0', content: [{ type: 'assign', location: 'n', expr: '0.0' }] },
            { cond: "In('s1')", content: [{ type: 'log', label: 'in' }] },
            { content: [{ type: 'assign', location: 'n', expr: 'ctx.n + 1.0' }] },
          ],
        },
      ];
    case 6:
      return [
        {
          type: 'foreach',
          array: 'ctx.list',
          item: 'each',
          index: 'at',
          content: [{ type: 'assign', location: 'ctx.list[ctx.at]', expr: 'ctx.each * 1.0' }],
        },
      ];
    default:
      return [];
  }
}

function finish(draft: Draft): StateIr {
  return { ...draft.state, states: draft.children.map(finish) };
}
