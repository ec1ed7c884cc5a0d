import type { Label, Trust } from './acts.ts';

/** Least to most. */
export const TRUST_ORDER: readonly Trust[] = ['web', 'tool', 'provider', 'agent', 'human'];

/** The least of several; of none, and of one that is not known, `web`: what nobody vouches for is not trusted. */
export function leastTrust(trusts: readonly (Trust | undefined)[]): Trust {
  if (trusts.length === 0) return 'web';
  let least = TRUST_ORDER.length - 1;
  for (const trust of trusts) least = Math.min(least, rank(trust));
  return TRUST_ORDER[least] as Trust;
}

/** True when something is trusted at least so much. */
export function isTrustedAtLeast(trust: Trust | undefined, floor: Trust): boolean {
  return rank(trust) >= rank(floor);
}

/** The label of what was made from several things: the least trust, and all sources once each, sorted. */
export function combineLabels(labels: readonly (Label | undefined)[]): Label {
  const sources = new Set(labels.flatMap((label) => label?.sources ?? []));
  return { trust: leastTrust(labels.map((label) => label?.trust)), sources: [...sources].sort() };
}

function rank(trust: Trust | undefined): number {
  return trust === undefined ? 0 : Math.max(0, TRUST_ORDER.indexOf(trust));
}
