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
  readonly looked: boolean;
  readonly proven: boolean;
  readonly budget: number;
  readonly seen: readonly string[];
  readonly early: 'no' | 'clean' | 'overtaken';
  readonly changes: number;
};

export const start: Model = {
  owed: [],
  everChanged: [],
  looked: false,
  proven: false,
  budget: 3,
  seen: [],
  early: 'no',
  changes: 0,
};

function look(model: Model, item: string, overtaken: boolean): Model {
  const owed = overtaken ? model.owed : model.owed.filter((debt) => debt.item !== item || !debt.ended);
  const paid = owed.length < model.owed.length;
  const key = `${item}@${model.changes}`;
  if (model.seen.includes(key) && !paid) return model;
  const proven = model.proven || paid || (!overtaken && model.everChanged.includes(item));
  return {
    ...model,
    owed,
    proven,
    looked: true,
    budget: Math.min(3, model.budget + 1),
    seen: [...new Set([...model.seen, key])],
  };
}

function ended(model: Model, item: string): Model {
  const early = model.early === 'no' ? 'no' : 'overtaken';
  return {
    ...model,
    early,
    changes: model.changes + 1,
    everChanged: [...model.everChanged, item],
    owed: [...model.owed, { item, ended: true }],
  };
}

/** The next model, and for a submit whether it is accepted. */
export function next(model: Model, event: Event): readonly [Model, boolean | null] {
  const refused: Model = { ...model, budget: Math.max(0, model.budget - 1) };
  switch (event.type) {
    case 'write':
    case 'failed-write':
      return [ended(model, event.item), null];
    case 'begin-write':
      return [{ ...model, owed: [...model.owed, { item: event.item, ended: false }] }, null];
    case 'end-write': {
      const running = model.owed.find((debt) => !debt.ended) ?? { item: 'a' };
      return [ended({ ...model, owed: model.owed.filter((debt) => debt.ended) }, running.item), null];
    }
    case 'read':
      return [look(model, event.item, false), null];
    case 'empty-read':
      return [model, null];
    case 'begin-read':
      return [{ ...model, early: 'clean' }, null];
    case 'end-read':
      return [{ ...look(model, 'a', model.early === 'overtaken'), early: 'no' }, null];
    case 'reason':
      return [refused, null];
    case 'turn':
      return [{ ...model, looked: false, proven: false, budget: 3, seen: [] }, null];
    case 'unverified':
      return [model.owed.length === 0 ? model : { ...model, owed: [], proven: false, seen: [] }, true];
    case 'assertion':
      return model.budget > 0 && model.looked ? [model, true] : [refused, false];
    case 'completion':
      return model.budget > 0 && model.owed.length === 0 && model.proven ? [model, true] : [refused, false];
    default:
      return event satisfies never;
  }
}
