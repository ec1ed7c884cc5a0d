import type { CallEffects, JsonObject } from '@warrant/core';
import type { Analysis, PathEffect, TargetKind } from './types.ts';

const KINDS: readonly TargetKind[] = ['reads', 'writes', 'deletes'];

/**
 * The analysis as effects of a call: lists hold resolved paths only. What cannot be resolved or named is in
 * `unknownTargets`; a line of class `unknown` may do anything, so it has all three.
 */
export function toCallEffects(analysis: Analysis): CallEffects {
  const { reads, writes, deletes, optionReads, network } = analysis;
  return {
    class: analysis.class,
    reads: resolved([...reads, ...optionReads]),
    writes: resolved(writes),
    deletes: resolved(deletes),
    unknownTargets: KINDS.filter((kind) => isOpen(analysis, kind)),
    network,
  };
}

/** The variable `shell` of policy conditions, as plain JSON. */
export function celShell(analysis: Analysis): JsonObject {
  const { reads, writes, deletes, unknownTargets, network, ...rest } = toCallEffects(analysis);
  return {
    class: rest.class,
    reads: [...reads],
    writes: [...writes],
    deletes: [...deletes],
    unknownTargets: [...unknownTargets],
    network,
  };
}

function resolved(effects: readonly PathEffect[]): readonly string[] {
  return [...new Set(effects.flatMap((effect) => effect.resolved))];
}

function isOpen(analysis: Analysis, kind: TargetKind): boolean {
  if (analysis.class === 'unknown' || analysis.unnamed.includes(kind)) return true;
  const effects = kind === 'reads' ? [...analysis.reads, ...analysis.optionReads] : analysis[kind];
  return effects.some((effect) => effect.resolved.length === 0);
}
