// What the gate promises for two items, said again in the fewest words. It shares nothing with the gate's code.

export type Event =
  | { readonly type: 'write' | 'failed-write'; readonly item: 'a' | 'b' }
  | { readonly type: 'begin-write' | 'read' | 'empty-read'; readonly item: 'a' | 'b' }
  | {
      readonly type:
        | 'begin-read'
        | 'end-read'
        | 'end-write'
        | 'completion'
        | 'assertion'
        | 'unverified'
        | 'turn'
        | 'reason';
    };

type Owed = { readonly item: string; readonly ended: boolean };
export type Model = {
  readonly owed: readonly Owed[];
  readonly everChanged: readonly string[];
  /** Items looked at that have not changed since. */
  readonly fresh: readonly string[];
  readonly proven: boolean;
  readonly budget: number;
  readonly seen: readonly string[];
  /** A look at `a` that has begun: what it can pay, whether `a` has changed meanwhile, and how many changes came before. */
  readonly early: { readonly payable: readonly Owed[]; readonly overtaken: boolean; readonly changes: number } | null;
  readonly writing: string | null;
  readonly changes: number;
};

export const start: Model = {
  owed: [],
  everChanged: [],
  fresh: [],
  proven: false,
  budget: 3,
  seen: [],
  early: null,
  writing: null,
  changes: 0,
};

const ended = (model: Model, item: string): readonly Owed[] =>
  model.owed.filter((debt) => debt.item === item && debt.ended);

function look(model: Model, item: string): Model {
  const payable = model.early?.payable ?? ended(model, item);
  const owed = model.owed.filter((debt) => !payable.includes(debt));
  const paid = owed.length < model.owed.length;
  const before = model.early?.changes ?? model.changes;
  const key = `${item}@${before}`;
  const current = model.early === null || !model.early.overtaken;
  const known = model.seen.some((seen) => seen.startsWith(item) && Number(seen.slice(2)) >= before);
  if (known && !paid) return model;
  const next = { ...model, owed, proven: model.proven || paid || (current && model.everChanged.includes(item)) };
  const fresh = current ? [...model.fresh, item] : model.fresh;
  return { ...next, fresh, budget: Math.min(3, model.budget + 1), seen: [...model.seen, key] };
}

function changed(model: Model, item: string): Model {
  return {
    ...model,
    early: model.early && { ...model.early, overtaken: model.early.overtaken || item === 'a' },
    changes: model.changes + 1,
    everChanged: [...model.everChanged, item],
    fresh: model.fresh.filter((seen) => seen !== item),
    owed: [...model.owed, { item, ended: true }],
  };
}

/** The next model, and for a submit whether it is accepted. */
export function next(model: Model, event: Event): readonly [Model, boolean | null] {
  const refused: Model = { ...model, budget: Math.max(0, model.budget - 1) };
  switch (event.type) {
    case 'write':
    case 'failed-write':
      return [changed(model, event.item), null];
    case 'begin-write':
      return [{ ...model, writing: event.item, owed: [...model.owed, { item: event.item, ended: false }] }, null];
    case 'end-write': {
      const rest = model.owed.filter((debt) => debt.ended);
      return [changed({ ...model, writing: null, owed: rest }, model.writing ?? ''), null];
    }
    case 'read':
      return [{ ...look({ ...model, early: null }, event.item), early: model.early }, null];
    case 'empty-read':
      return [model, null];
    case 'begin-read':
      return [{ ...model, early: { payable: ended(model, 'a'), overtaken: false, changes: model.changes } }, null];
    case 'end-read':
      return [{ ...look(model, 'a'), early: null }, null];
    case 'reason':
      return [refused, null];
    case 'turn':
      return [{ ...model, fresh: [], proven: false, budget: 3, seen: [] }, null];
    case 'unverified':
      return [model.owed.length === 0 ? model : { ...model, owed: [], proven: false, seen: [] }, true];
    case 'assertion':
      return model.budget > 0 && model.fresh.some((item) => item !== model.writing) ? [model, true] : [refused, false];
    case 'completion':
      return model.budget > 0 && model.owed.length === 0 && model.proven ? [model, true] : [refused, false];
    default:
      return event satisfies never;
  }
}
