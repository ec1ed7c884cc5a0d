import type { GateLimits, GateSettings } from './config-types.ts';

/** What the gate does unless told otherwise. */
export const DEFAULT_SETTINGS: GateSettings = {
  obligations: 'per-mutation',
  evidence: 'classed',
  expectations: 'checked',
  identifiers: 'typed',
  novelty: 'exact',
  noveltySpan: 'turn',
  signals: 'until-mutation',
  emptySurface: 'any',
  surfaceGrowth: 'mutations',
  failedMutations: 'read-back',
  unseenCodes: 'report',
  trailingError: 'allow',
  staleAssertions: 'refuse',
  openAssertions: 'allow',
  namedChanges: 'ignore',
  claimedSignals: 'refuse',
  failedChecks: 'allow',
  refusalCost: 1,
};

/** Every improvement turned off together: the recorded behaviour of the reference. */
export const REFERENCE_SETTINGS: GateSettings = {
  obligations: 'last-mutation',
  evidence: 'any',
  expectations: 'ignored',
  identifiers: 'tokens',
  novelty: 'scrubbed',
  noveltySpan: 'session',
  signals: 'forever',
  emptySurface: 'nothing',
  surfaceGrowth: 'never',
  failedMutations: 'read-back',
  unseenCodes: 'ignore',
  trailingError: 'allow',
  staleAssertions: 'allow',
  openAssertions: 'allow',
  namedChanges: 'ignore',
  claimedSignals: 'ignore',
  failedChecks: 'allow',
  refusalCost: 0,
};

export const DEFAULT_LIMITS: GateLimits = {
  open: 32,
  openSize: 16_000,
  running: 32,
  runningSize: 12_000,
  novelty: 128,
  codes: 3_000,
  surface: 48,
};

export type Preset = { readonly cap: number; readonly refill: number; readonly strict: boolean };

/** Budgets by how a model fails: one that skips looking, one that thinks for ever, any other. */
export const PRESETS: { readonly [name in 'default' | 'skipper' | 'diverger']: Preset } = {
  default: { cap: 6, refill: 2, strict: false },
  skipper: { cap: 5, refill: 2, strict: true },
  diverger: { cap: 4, refill: 1, strict: false },
};
