import { isWarrantError } from '@warrant/core';
import { parseDelay } from './delay.ts';
import type { ChartFault } from './fault.ts';
import type { Action, Block, ChartIr, Content, DataItem, InvokeIr, Param, SendIr, StateIr } from './ir.ts';

/** What executable content, data and invokes must hold (standard, chapters 4 to 6): what excludes what, and what is needed. */
export function checkContent(ir: ChartIr): readonly ChartFault[] {
  const faults: ChartFault[] = [];
  checkData(ir.data, faults, '/data');
  checkStates(ir.states, faults, '');
  return faults;
}

type Faults = ChartFault[];

function checkState(state: StateIr, faults: Faults, path: string): void {
  if (state.data.length > 0) checkData(state.data, faults, `${path}/data`);
  if (state.onEntry.length > 0) checkBlocks(state.onEntry, faults, `${path}/onEntry`);
  if (state.onExit.length > 0) checkBlocks(state.onExit, faults, `${path}/onExit`);
  let at = 0;
  for (const { content } of state.transitions) {
    if (content.length > 0) checkBlock(content, faults, `${path}/transitions/${at}/content`);
    at += 1;
  }
  if (state.initial !== undefined && 'content' in state.initial)
    checkBlock(state.initial.content, faults, `${path}/initial/content`);
  if (state.initial !== undefined && (state.type !== 'state' || state.states.length === 0))
    faults.push({ code: 'initial', path: `${path}/initial`, message: 'only a state with states has an initial one' });
  if (state.history !== undefined && state.type !== 'history')
    faults.push({ code: 'nesting', path: `${path}/history`, message: 'only a history is shallow or deep' });
  if (state.invokes.length > 0) checkInvokes(state.invokes, faults, `${path}/invokes`);
  if (state.doneData !== undefined) checkPayload(state.doneData, faults, `${path}/doneData`);
  if (state.states.length > 0) checkStates(state.states, faults, path);
}

function checkStates(states: readonly StateIr[], faults: Faults, path: string): void {
  for (const [index, state] of states.entries()) checkState(state, faults, `${path}/states/${index}`);
}

function checkData(items: readonly DataItem[], faults: Faults, path: string): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (seen.has(item.id))
      faults.push({
        code: 'duplicate-id',
        path: `${path}/${index}/id`,
        message: `the data id '${item.id}' is taken already`,
      });
    seen.add(item.id);
    if (!/^\S+$/.test(item.id))
      faults.push({ code: 'id', path: `${path}/${index}/id`, message: 'a data id is one word' });
    notBoth(item, ['expr', 'value'], faults, `${path}/${index}`);
    notBoth(item, ['expr', 'src'], faults, `${path}/${index}`);
  }
}

function checkBlocks(blocks: readonly Block[], faults: Faults, path: string): void {
  for (const [index, block] of blocks.entries()) checkBlock(block, faults, `${path}/${index}`);
}

function checkBlock(block: Block, faults: Faults, path: string): void {
  for (const [index, action] of block.entries()) checkAction(action, faults, `${path}/${index}`);
}

function checkAction(action: Action, faults: Faults, path: string): void {
  switch (action.type) {
    case 'raise':
      return checkEventName(action.event, faults, `${path}/event`);
    case 'send':
      return checkSend(action, faults, path);
    case 'cancel':
      return exactlyOne(action, ['sendId', 'sendIdExpr'], faults, path);
    case 'assign':
      return notBoth(action, ['expr', 'value'], faults, path);
    case 'if':
      return checkIf(action, faults, path);
    case 'foreach':
      return checkBlock(action.content, faults, `${path}/content`);
    default:
      return;
  }
}

function checkIf(action: Extract<Action, { readonly type: 'if' }>, faults: Faults, path: string): void {
  const last = action.branches.length - 1;
  if (last < 0) faults.push({ code: 'if', path, message: 'an if needs a branch' });
  for (const [index, branch] of action.branches.entries()) {
    if (branch.cond === undefined && (index === 0 || index < last))
      faults.push({
        code: 'if',
        path: `${path}/branches/${index}`,
        message: 'only the last of several branches is the else',
      });
    checkBlock(branch.content, faults, `${path}/branches/${index}/content`);
  }
}

function checkSend(send: SendIr, faults: Faults, path: string): void {
  for (const pair of SEND_PAIRS) notBoth(send, pair, faults, path);
  if (send.event !== undefined) checkEventName(send.event, faults, `${path}/event`);
  if (send.delay !== undefined) checkDelay(send.delay, faults, `${path}/delay`);
  checkPayload(send, faults, path);
}

const SEND_PAIRS = [
  ['event', 'eventExpr'],
  ['target', 'targetExpr'],
  ['processor', 'processorExpr'],
  ['id', 'idLocation'],
  ['delay', 'delayExpr'],
] as const;

function checkInvokes(invokes: readonly InvokeIr[], faults: Faults, path: string): void {
  const ids = new Set<string>();
  for (const [index, invoke] of invokes.entries()) checkInvoke(invoke, faults, `${path}/${index}`, ids);
}

function checkInvoke(invoke: InvokeIr, faults: Faults, path: string, ids: Set<string>): void {
  for (const pair of [
    ['processor', 'processorExpr'],
    ['src', 'srcExpr'],
    ['id', 'idLocation'],
  ] as const)
    notBoth(invoke, pair, faults, path);
  if (invoke.id !== undefined && ids.has(invoke.id))
    faults.push({ code: 'duplicate-id', path: `${path}/id`, message: `the invoke id '${invoke.id}' is taken already` });
  if (invoke.id !== undefined) ids.add(invoke.id);
  const { content, namelist, params } = invoke;
  checkPayload({ ...(namelist && { namelist }), ...(params && { params }) }, faults, path);
  if (content !== undefined && invoke.srcExpr !== undefined)
    faults.push({ code: 'content', path, message: 'an invoke has a src or content, not both' });
  if (invoke.finalize !== undefined) checkFinalize(invoke.finalize, faults, `${path}/finalize`);
}

/** A finalize must not raise or send (standard 6.5.2). */
function checkFinalize(block: Block, faults: Faults, path: string): void {
  checkBlock(block, faults, path);
  for (const [index, action] of block.entries())
    if (action.type === 'raise' || action.type === 'send')
      faults.push({ code: 'nesting', path: `${path}/${index}`, message: 'a finalize neither raises nor sends' });
}

function checkPayload(
  from: { readonly namelist?: readonly string[]; readonly params?: readonly Param[]; readonly content?: Content },
  faults: Faults,
  path: string,
): void {
  for (const [index, param] of (from.params ?? []).entries())
    notBoth(param, ['expr', 'location'], faults, `${path}/params/${index}`);
  if (from.content !== undefined && (from.params?.length ?? 0) + (from.namelist?.length ?? 0) > 0)
    faults.push({ code: 'content', path: `${path}/content`, message: 'content excludes params and a namelist' });
  for (const [index, name] of (from.namelist ?? []).entries())
    if (!/^\S+$/.test(name))
      faults.push({ code: 'id', path: `${path}/namelist/${index}`, message: 'a name in a namelist is one word' });
}

function checkEventName(name: string, faults: Faults, path: string): void {
  if (!/^\S+$/.test(name)) faults.push({ code: 'event', path, message: 'an event name is one word' });
}

function checkDelay(delay: string, faults: Faults, path: string): void {
  try {
    parseDelay(delay);
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    faults.push({ code: 'delay', path, message: error.message });
  }
}

type Pair = readonly [string, string];

function notBoth(part: object, [a, b]: Pair, faults: Faults, path: string): void {
  if (Object.hasOwn(part, a) && Object.hasOwn(part, b) && !isUndefined(part, a) && !isUndefined(part, b))
    faults.push({ code: 'exclusive', path, message: `${a} and ${b} exclude each other` });
}

function exactlyOne(part: object, pair: Pair, faults: Faults, path: string): void {
  notBoth(part, pair, faults, path);
  if (pair.every((name) => isUndefined(part, name)))
    faults.push({ code: 'exclusive', path, message: `either ${pair[0]} or ${pair[1]} is needed` });
}

function isUndefined(part: object, name: string): boolean {
  return (part as { readonly [key: string]: unknown })[name] === undefined;
}
