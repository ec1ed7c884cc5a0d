import { digest, lazyMember } from '@warrant/core';
import { CODING, CODING_DIGEST } from './coding.ts';
import type {
  CommandRule,
  GateConfig,
  GateLimits,
  GateSettings,
  ResolvedConfig,
  SignalMapper,
  ToolContract,
} from './config-types.ts';
import { describeConfig } from './describe-config.ts';
import { gateError } from './errors.ts';
import { canonicalIdentifier } from './identifiers.ts';
import { DEFAULT_LIMITS, DEFAULT_SETTINGS, PRESETS, REFERENCE_SETTINGS } from './settings.ts';
import { SIGNAL_MAPPERS } from './signals/mappers.ts';

/**
 * Fills in every default and names the result by its digest.
 * @throws SUBMIT_GATE_CONFIG_INVALID for an unknown preset or profile, a refill outside 1 to cap - 1, an unknown mapper, a bad number.
 */
export function resolveConfig(config: GateConfig): ResolvedConfig {
  const preset = presetOf(config);
  const coding = config.preset === 'coding';
  const base =
    config.profile === 'reference' ? REFERENCE_SETTINGS : { ...DEFAULT_SETTINGS, ...(coding ? CODING.settings : {}) };
  const mappers = mapperTable(config.mappers ?? []);
  const tools: { readonly [tool: string]: ToolContract } = { ...(coding ? CODING.tools : {}), ...config.tools };
  const settings = { ...base, ...config.settings };
  const root = config.root ?? '';
  const caseSensitive = config.caseSensitive ?? true;
  const named = (id: string): string =>
    settings.identifiers === 'typed' ? (canonicalIdentifier(id, { root, caseSensitive }) ?? id) : id;
  const resolved = {
    settings,
    cap: config.cap ?? preset.cap,
    refill: config.refill ?? preset.refill,
    strict: config.strict ?? preset.strict,
    surface: listOf(config.surface, 'surface').map(named),
    goals: listOf(config.goals, 'goals'),
    tools,
    classifier: config.classifier ?? null,
    mappers,
    normalizers: { ...config.normalizers },
    extractors: { ...config.extractors },
    noveltyExempt: [...(config.noveltyExempt ?? [])],
    threshold: config.verifier === undefined ? null : (config.verifier.threshold ?? 0.5),
    root,
    caseSensitive,
    limits: { ...DEFAULT_LIMITS, ...config.limits },
  };
  check(resolved);
  const own = { tools: config.tools ?? {}, commands: config.commands ?? [] };
  const described = describeConfig(resolved, own, coding ? CODING_DIGEST : null);
  return withCommands({ ...resolved, digest: digest(described) }, { own: own.commands, coding });
}

/** Most hooks come to no command: those of the preset are made with the first that does. */
const withCommands = lazyMember(
  'commands',
  (source: { readonly own: readonly CommandRule[]; readonly coding: boolean; all?: readonly CommandRule[] }) => {
    source.all ??= [...source.own, ...(source.coding ? CODING.commands : [])];
    return source.all;
  },
);

function presetOf(config: GateConfig): (typeof PRESETS)['default'] {
  if (config.profile !== undefined && config.profile !== 'default' && config.profile !== 'reference')
    invalid('an unknown profile');
  const name = config.preset ?? 'default';
  if (name === 'coding') return PRESETS.default;
  if (!Object.hasOwn(PRESETS, name)) return invalid('an unknown preset');
  return PRESETS[name];
}

function invalid(what: string): never {
  throw gateError('SUBMIT_GATE_CONFIG_INVALID', `gate config with ${what}`);
}

function listOf(list: readonly string[] | undefined, name: string): readonly string[] {
  if (list === undefined) return [];
  if (!Array.isArray(list) || list.some((item) => typeof item !== 'string'))
    invalid(`'${name}' that is no list of texts`);
  return [...list];
}

/** Every value that a setting of words may have. */
const VALUES: { readonly [name: string]: readonly string[] } = {
  obligations: ['per-mutation', 'last-mutation'],
  evidence: ['classed', 'any'],
  expectations: ['checked', 'ignored'],
  identifiers: ['typed', 'tokens'],
  novelty: ['exact', 'scrubbed'],
  noveltySpan: ['turn', 'session'],
  signals: ['until-mutation', 'forever'],
  emptySurface: ['any', 'nothing'],
  surfaceGrowth: ['mutations', 'never'],
  failedMutations: ['read-back', 'redo'],
  unseenCodes: ['ignore', 'report', 'refuse'],
  trailingError: ['allow', 'refuse'],
  staleAssertions: ['allow', 'refuse'],
  openAssertions: ['allow', 'refuse'],
  namedChanges: ['ignore', 'refuse'],
  claimedSignals: ['ignore', 'refuse'],
  failedChecks: ['allow', 'refuse'],
};
const KINDS = ['read', 'write', 'check', 'run', 'shell', 'neutral'];

function checkContract(
  tool: string,
  contract: Omit<ToolContract, 'byArgument'>,
  mappers: ResolvedConfig['mappers'],
): void {
  if (contract.kind !== undefined && !KINDS.includes(contract.kind)) invalid(`an unknown kind at tool '${tool}'`);
  for (const name of ['targets', 'shows', 'readBefore', 'covers'] as const) listOf(contract[name], `${tool}.${name}`);
  for (const name of listOf(contract.signals, `${tool}.signals`))
    if (!Object.hasOwn(mappers, name)) invalid(`an unknown signal mapper '${name}' at tool '${tool}'`);
}

function check(config: Omit<ResolvedConfig, 'digest' | 'commands'>): void {
  const { cap, refill, threshold, settings, limits } = config;
  if (!Number.isInteger(cap) || !Number.isInteger(refill) || refill < 1 || refill >= cap)
    invalid('cap or refill outside 1 <= refill < cap');
  if (threshold !== null && !(threshold >= 0 && threshold <= 1)) invalid('a threshold outside 0 to 1');
  if (!(settings.refusalCost >= 0 && settings.refusalCost <= 100 && Number.isInteger(settings.refusalCost)))
    invalid('a refusal cost outside 0 to 100');
  for (const name of Object.keys(settings) as (keyof GateSettings)[]) {
    if (!Object.hasOwn(DEFAULT_SETTINGS, name)) invalid(`an unknown setting '${name}'`);
    const isKnown = name === 'refusalCost' || VALUES[name]?.includes(settings[name] as string) === true;
    if (!isKnown) invalid(`a bad value of '${name}'`);
  }
  for (const name of Object.keys(DEFAULT_LIMITS) as (keyof GateLimits)[]) {
    if (!Number.isInteger(limits[name]) || limits[name] < 1 || limits[name] > DEFAULT_LIMITS[name]) {
      invalid(`limit '${name}' outside 1 to ${DEFAULT_LIMITS[name]}`);
    }
  }
  for (const [tool, contract] of Object.entries(config.tools))
    for (const item of [contract, ...Object.values(contract.byArgument?.cases ?? {})])
      checkContract(tool, item, config.mappers);
}

function mapperTable(own: readonly SignalMapper[]): { readonly [name: string]: SignalMapper } {
  return Object.fromEntries([...SIGNAL_MAPPERS, ...own].map((mapper) => [mapper.name, mapper]));
}
