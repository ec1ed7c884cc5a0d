import type { DepthLevel, Gap } from '@warrant/core';
import { safeText } from './safe-text.ts';

/** What is not known, as one sentence without its full stop. */
export function gapText(gap: Gap): string {
  switch (gap.type) {
    case 'existence':
      return gap.concept === '' ? 'a concept has no name' : `'${safeText(gap.concept)}' is not in the graph`;
    case 'depth':
      return `'${safeText(gap.concept)}' is known ${upTo(gap.current)}, D${gap.required} is needed`;
    case 'relational':
      return `'${safeText(gap.source)}' needs '${safeText(gap.target)}' at D${gap.required}, which is known ${upTo(gap.current)}`;
    case 'reachability':
      return `'${safeText(gap.concept)}' is not connected to the other concepts`;
  }
}

/** What would close the gap, as one sentence without its full stop. */
export function remedyText(gap: Gap): string {
  switch (gap.type) {
    case 'existence':
      return gap.concept === ''
        ? 'ask by the name of a concept'
        : `add '${safeText(gap.concept)}' with its identity (D1)`;
    case 'depth':
      return `describe ${levels(gap.missing)} of '${safeText(gap.concept)}'`;
    case 'relational':
      return `describe ${levels(gap.missing)} of '${safeText(gap.target)}'`;
    case 'reachability':
      return `relate '${safeText(gap.concept)}' to ${anchors(gap.remedy['to'])}`;
  }
}

function upTo(current: DepthLevel | null): string {
  return current === null ? 'not even to exist (D0)' : `to D${current}`;
}

function levels(missing: readonly DepthLevel[]): string {
  return missing.map((level) => `D${level}`).join(', ');
}

function anchors(to: unknown): string {
  if (!Array.isArray(to) || to.length === 0) return 'them';
  return to.map((name) => `'${safeText(String(name))}'`).join(' or ');
}
