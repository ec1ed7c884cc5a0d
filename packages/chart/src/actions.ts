import { type Json, WarrantError } from '@warrant/core';
import type { CompiledAction, CompiledBlock } from './chart.ts';
import type { Expression, Location } from './data-model.ts';
import { reasonOf } from './errors.ts';
import { assignAt } from './locations.ts';
import { textOf } from './payload.ts';
import { checkSize, LimitReached, type Run, raise, raiseError } from './run.ts';
import { BlockEnded, runCancel, runSend } from './send.ts';

type ActionOf<Type extends CompiledAction['type']> = Extract<CompiledAction, { readonly type: Type }>;

/** Runs the blocks one by one; an error ends only its own block (standard 4.9). */
export function runBlocks(run: Run, blocks: readonly CompiledBlock[]): void {
  for (const block of blocks) runBlock(run, block);
}

/** Runs one block of executable content. */
export function runBlock(run: Run, block: CompiledBlock): void {
  try {
    runActions(run, block);
  } catch (error) {
    if (error instanceof BlockEnded) return;
    if (error instanceof LimitReached) throw error;
    raiseError(run, 'error.execution', reasonOf(error));
  }
}

function runActions(run: Run, block: CompiledBlock): void {
  for (const action of block) runAction(run, action);
}

function runAction(run: Run, action: CompiledAction): void {
  switch (action.type) {
    case 'raise':
      return raise(run, { name: action.event, type: 'internal', data: null });
    case 'send':
      return runSend(run, action);
    case 'cancel':
      return runCancel(run, textOf(action.sendId, run));
    case 'assign':
      return assign(run, action.location, 'json' in action.value ? action.value.json : action.value.evaluate(run));
    case 'log':
      run.effects.push({ type: 'log', label: action.label ?? null, value: action.value?.evaluate(run) ?? null });
      return;
    case 'if':
      return runIf(run, action);
    case 'foreach':
      return runForeach(run, action);
    case 'extension':
      return;
  }
}

function assign(run: Run, location: Location, value: Json): void {
  checkSize(run, value);
  run.data = assignAt(run.data, location.path(run), value);
}

/** A condition that fails to evaluate counts as false, and the block goes on. */
function runIf(run: Run, action: ActionOf<'if'>): void {
  const branch = action.branches.find(({ cond }) => cond === undefined || holds(run, cond));
  if (branch !== undefined) runActions(run, branch.content);
}

function holds(run: Run, cond: Expression): boolean {
  try {
    return cond.evaluate(run) === true;
  } catch (error) {
    raiseError(run, 'error.execution', reasonOf(error));
    return false;
  }
}

/** Iterates over a shallow copy, so that the block may change the array (standard 4.6). */
function runForeach(run: Run, action: ActionOf<'foreach'>): void {
  const items = action.array.evaluate(run);
  if (!Array.isArray(items)) throw new WarrantError('CHART_FOREACH', 'a foreach needs an array');
  declare(run, action.item);
  if (action.index !== undefined) declare(run, action.index);
  for (const [index, item] of (items as readonly Json[]).entries()) {
    countRound(run);
    assign(run, action.item, item);
    if (action.index !== undefined) assign(run, action.index, index);
    runActions(run, action.content);
  }
}

function countRound(run: Run): void {
  run.rounds += 1;
  if (run.rounds > run.chart.limits.foreachItems)
    throw new LimitReached('items of foreach in one input', run.chart.limits.foreachItems);
}

/** The variables of a foreach are made where they do not exist (standard 4.6). */
function declare(run: Run, location: Location): void {
  const [name, ...rest] = location.path(run);
  if (typeof name !== 'string' || rest.length > 0 || Object.hasOwn(run.data, name)) return;
  run.data = { ...run.data, [name]: null };
}
