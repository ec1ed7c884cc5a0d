import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Label, Trust } from './acts.ts';
import { combineLabels, isTrustedAtLeast, leastTrust, TRUST_ORDER } from './trust.ts';

const trust = fc.constantFrom(...TRUST_ORDER);
const label: fc.Arbitrary<Label> = fc.record({ trust, sources: fc.array(fc.string({ maxLength: 3 })) });

describe('trust', () => {
  it('is the least of several, and that of the web where nothing is known', () => {
    expect(leastTrust(['human', 'provider', 'agent'])).toBe('provider');
    expect(leastTrust(['human'])).toBe('human');
    expect(leastTrust([])).toBe('web');
    expect(leastTrust(['human', undefined])).toBe('web');
    expect(leastTrust(['human', 'divine' as Trust])).toBe('web');
    expect(combineLabels([{ trust: 'human', sources: ['b'] }, undefined])).toEqual({ trust: 'web', sources: ['b'] });
  });

  it('never grows by combining, in whatever order and grouping', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1 }), fc.array(label, { minLength: 1 }), (some, others) => {
        const all = combineLabels([...some, ...others]);
        expect(combineLabels([...others, ...some])).toEqual(all);
        expect(combineLabels([combineLabels(some), combineLabels(others)])).toEqual(all);
        for (const one of some) {
          expect(isTrustedAtLeast(one.trust, all.trust)).toBe(true);
          for (const source of one.sources) expect(all.sources).toContain(source);
        }
      }),
    );
    expect(isTrustedAtLeast(undefined, 'tool')).toBe(false);
    expect(isTrustedAtLeast(undefined, 'web')).toBe(true);
    expect(isTrustedAtLeast('agent', 'human')).toBe(false);
  });
});
