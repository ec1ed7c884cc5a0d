import type { JsonObject, Reason } from '@warrant/core';
import type { ResolvedConfig } from './config-types.ts';
import { isChanging } from './freshness.ts';
import type { Claim, GateState, LegalMove, Obligation } from './types.ts';

const MOST = 8;
const UNVERIFIED: LegalMove = Object.freeze({ type: 'submit', claim: 'unverified' });

/** The calls that would qualify, and the way out that is always open. */
export function legalMoves(
  config: ResolvedConfig,
  state: GateState,
  claim: Claim,
  reasons: readonly Reason[],
): readonly LegalMove[] {
  const moves: LegalMove[] = [];
  const unknown: string[] = [];
  if (claim.type === 'completion' || reasons.some((item) => OPEN.has(item.code)))
    for (const item of state.open.slice(0, MOST)) addObligation(config, item, moves, unknown);
  // A change that was reported while it runs owes nothing, but a look before it ends is none.
  if (reasons.some((item) => OPEN.has(item.code)))
    for (const call of state.running.filter(isChanging))
      if (moves.length < MOST && state.open.every((item) => item.id !== call.id))
        moves.push({ type: 'report', callId: call.id });
  const signals: string[] = [];
  let looks = false;
  for (const item of reasons) {
    if (SIGNALS.has(item.code)) signals.push(item.data['signal'] as string);
    if (item.code === 'gate.nothing-changed') moves.push({ type: 'change' });
    if (LOOKS.has(item.code)) looks = true;
    if (item.code === 'gate.changed-since') addNamed(config, state, item, moves);
  }
  if (signals.length > 0 || unknown.length > 0)
    moves.push({ type: 'check', signals: [...new Set(signals)], obligations: unknown });
  if (looks && state.open.length === 0) moves.push(lookAt(config, state));
  moves.push({ ...UNVERIFIED });
  return moves;
}

/** Reasons that a look at what is open would answer. */
const OPEN = new Set(['gate.changed-since', 'gate.overtaken']);
const SIGNALS = new Set(['gate.signal-missing', 'gate.check-failed']);
const LOOKS = new Set([
  'gate.not-observed',
  'gate.overtaken',
  'gate.not-verified',
  'gate.strict',
  'gate.budget-spent',
  'gate.last-call-failed',
  'gate.identifier-not-observed',
  'gate.verifier-doubts',
]);

/** A look at each changed thing that a claim names, where no obligation asks for it already. */
function addNamed(config: ResolvedConfig, state: GateState, named: Reason, moves: LegalMove[]): void {
  const asked = state.open.flatMap((item) => item.targets ?? []);
  for (const name of named.data['identifiers'] as readonly string[])
    if (!asked.includes(name) && moves.length < MOST)
      moves.push({ type: 'observe', obligation: null, targets: [name], ...reader(config, [name]) });
}

function lookAt(config: ResolvedConfig, state: GateState): LegalMove {
  return {
    type: 'observe',
    obligation: null,
    targets: [...(state.changed.length > 0 ? state.changed : config.surface).slice(-MOST)],
  };
}

function addObligation(config: ResolvedConfig, item: Obligation, moves: LegalMove[], unknown: string[]): void {
  if (item.ended === null) {
    moves.push({ type: 'report', callId: item.id });
    return;
  }
  if ((item.failed && item.redo) || item.contradicted !== undefined) {
    moves.push({ type: 'redo', obligation: item.id, tool: item.tool, targets: [...(item.targets ?? [])] });
    if (item.failed && item.redo) return;
  }
  if (item.readBack !== undefined) {
    moves.push({ type: 'observe', obligation: item.id, targets: [...(item.targets ?? [])], ...item.readBack });
  } else if (item.targets === null) unknown.push(item.id);
  else
    moves.push({ type: 'observe', obligation: item.id, targets: [...item.targets], ...reader(config, item.targets) });
}

/** A declared reading tool and the arguments that would name the target. */
function reader(
  config: ResolvedConfig,
  targets: readonly string[],
): { readonly tool?: string; readonly arguments?: JsonObject } {
  const target = targets[0];
  if (target === undefined) return {};
  for (const tool in config.tools) {
    const contract = config.tools[tool];
    const pointer = contract?.targets?.[0];
    if (
      contract?.kind !== 'read' ||
      contract.lists === true ||
      pointer === undefined ||
      pointer.includes('*') ||
      pointer.lastIndexOf('/') > 0
    )
      continue;
    return { tool, arguments: { [pointer.slice(1)]: target } };
  }
  return {};
}
