import { type Gap, isWellFormed, WarrantError } from '@warrant/core';
import { isDepthLevel } from '../levels.ts';

/**
 * Refuses what is not a gap; gaps travel through models and files before they come back.
 * @throws GROUNDING_GAP_INVALID with the path of the fault.
 */
export function checkGap(gap: Gap): void {
  if (typeof gap !== 'object' || gap === null) throw invalid('');
  switch (gap.type) {
    case 'existence':
    case 'reachability':
      name(gap.concept, '/concept');
      return;
    case 'depth':
      name(gap.concept, '/concept');
      shortfall(gap);
      return;
    case 'relational':
      name(gap.source, '/source');
      name(gap.target, '/target');
      shortfall(gap);
      return;
    default:
      throw invalid('/type');
  }
}

function shortfall(gap: { readonly required: unknown; readonly missing: unknown }): void {
  if (!isDepthLevel(gap.required)) throw invalid('/required');
  if (!Array.isArray(gap.missing) || !gap.missing.every(isDepthLevel)) throw invalid('/missing');
}

function name(value: unknown, path: string): void {
  if (typeof value !== 'string' || !isWellFormed(value)) throw invalid(path);
}

function invalid(path: string): WarrantError {
  return new WarrantError('GROUNDING_GAP_INVALID', `not a gap at ${path || 'the root'}`, { data: { path } });
}
