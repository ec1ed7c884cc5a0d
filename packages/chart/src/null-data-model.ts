import { WarrantError } from '@warrant/core';
import type { DataModel, Expression } from './data-model.ts';

const IN_STATE = /^\s*In\(\s*(['"])([^'"]+)\1\s*\)\s*$/;

/** The null data model of the standard (B.1): no data, and `In('state')` as the only condition. */
export const nullDataModel: DataModel = {
  name: 'null',
  expression: (source) => refuse(source),
  location: (source) => refuse(source),
  read: (source) => refuse(source),
  condition: (source): Expression => {
    const state = IN_STATE.exec(source)?.[2];
    if (state === undefined) return refuse(source);
    return { source, readsPayload: false, evaluate: (scope) => scope.isActive(state) };
  },
};

function refuse(source: string): never {
  throw new WarrantError('CHART_EXPRESSION', "the null data model knows only In('state')", {
    data: { length: source.length },
  });
}
