import {
  type DocumentFault,
  type DocumentPath,
  faultAt,
  nearest,
  type ParsedDocument,
  parseDocument,
  type RawDocument,
} from '@warrant/core/documents';
import * as z from 'zod';
import { BUILT_IN_PROFILES, type MemoryConfig, type MemoryProfile, type ProfileWeights } from '../config/profiles.ts';
import { MAX_LIST } from '../write-request.ts';

const share = z.number().min(0).max(1);
const whole = (least: number, most: number) => z.int().min(least).max(most);
const weightsSchema = z.strictObject({
  provenance: share.optional(),
  recency: share.optional(),
  confidence: share.optional(),
  causal: share.optional(),
  semantic: share.optional(),
  workspace: share.optional(),
});
const sections = {
  lifecycle: z
    .strictObject({
      confidence_decay_rate: share.optional(),
      archival_threshold: share.optional(),
      staleness_days: whole(0, 36_500).optional(),
      reinforce_rate: share.optional(),
    })
    .optional(),
  retrieval: z
    .strictObject({
      retrieve_limit: whole(1, 200).optional(),
      conflict_threshold: share.optional(),
      min_composite_score: share.optional(),
      ranker_weights: weightsSchema.optional(),
      dialogue_factors: z.boolean().optional(),
    })
    .optional(),
  injection: z
    .strictObject({
      context_token_limit: whole(1, 10_000_000).optional(),
      memory_budget_chars: whole(1, 100_000_000).optional(),
    })
    .optional(),
  capture: z
    .strictObject({
      conversation_jsonl: z.boolean().optional(),
      tracking_max_files_per_directory: whole(1, 1_000_000).optional(),
      auto_persist_response: z.boolean().optional(),
      tracked_directories: z.array(z.string().min(1)).max(MAX_LIST).optional(),
    })
    .optional(),
};
const agentSchema = z.strictObject({ name: z.string().optional(), ...sections });
const configSchema = z.strictObject({
  profile: z.strictObject({
    name: z.string(),
    ...sections,
    agents: z.record(z.string().min(1), agentSchema).optional(),
  }),
  profiles: z.record(z.string().min(1), z.strictObject({ extends: z.string().optional(), ...sections })).optional(),
  embeddings: z.strictObject({ semantic_conflict_threshold: share.optional() }).optional(),
});
type Document = z.output<typeof configSchema>;
type Sections = { readonly [section in keyof typeof sections]?: z.output<(typeof sections)[section]> };

export type ConfigFile =
  | { readonly type: 'ok'; readonly config: MemoryConfig }
  | { readonly type: 'faulty'; readonly faults: readonly DocumentFault[] };
export type ConfigOptions = {
  /** What `capture` says where the file says nothing. @default false: nothing is captured */
  readonly captureByDefault?: boolean;
};

/**
 * Reads a configuration (YAML or JSON) with the keys `profile` (`name`, overrides, `agents`), `profiles` (own ones, each
 * with `extends`) and `embeddings`. Everything unknown or out of range is a fault with its line.
 */
export function parseConfig(
  source: { readonly file: string; readonly text: string | Uint8Array },
  options: ConfigOptions = {},
): ConfigFile {
  const parsed: ParsedDocument<Document> = parseDocument(source, configSchema, { maxBytes: 1024 * 1024 });
  if (parsed.type === 'faulty') return parsed;
  const { value, document } = parsed;
  const resolver = new Resolver(value, document, options.captureByDefault === true);
  const config = resolver.config();
  return resolver.faults.length > 0 ? { type: 'faulty', faults: resolver.faults } : { type: 'ok', config };
}

/** Resolves names against the document, and gathers what is wrong with it. */
class Resolver {
  readonly faults: DocumentFault[] = [];
  readonly #document: RawDocument;
  readonly #value: Document;
  readonly #captures: boolean;

  constructor(value: Document, document: RawDocument, captures: boolean) {
    this.#value = value;
    this.#document = document;
    this.#captures = captures;
  }

  config(): MemoryConfig {
    for (const name of Object.keys(this.#value.profiles ?? {})) this.#named(name, ['profiles', name], []);
    const { name, agents = {}, ...own } = this.#value.profile;
    const profile = this.#with(this.#named(name, ['profile', 'name'], []), own, ['profile']);
    const entries = Object.entries(agents).map(
      ([agent, { name: other, ...overrides }]): readonly [string, MemoryProfile] => {
        const path = ['profile', 'agents', agent];
        const base = other === undefined ? profile : this.#named(other, [...path, 'name'], []);
        return [agent, { ...this.#with(base, overrides, path), isolateByAgent: true }];
      },
    );
    return {
      profile,
      agents: Object.fromEntries(entries),
      semanticConflictThreshold: this.#value.embeddings?.semantic_conflict_threshold ?? 0.92,
    };
  }

  #named(name: string, at: DocumentPath, behind: readonly string[]): MemoryProfile {
    const own = this.#value.profiles ?? {};
    if (Object.hasOwn(BUILT_IN_PROFILES, name)) {
      if (at[0] === 'profiles' && behind.length === 0)
        this.#fault(at, 'profile-exists', `'${name}' is built in`, 'another name');
      return this.#builtIn(name as keyof typeof BUILT_IN_PROFILES);
    }
    const known = [...Object.keys(BUILT_IN_PROFILES), ...Object.keys(own)];
    if (!Object.hasOwn(own, name)) {
      const meant = nearest(name, known);
      this.#fault(
        at,
        'unknown-profile',
        `there is no profile '${name.slice(0, 60)}'`,
        meant === undefined ? `known profiles: ${known.join(', ')}` : `did you mean '${meant}'?`,
      );
      return this.#builtIn('budget_optimized');
    }
    if (behind.includes(name)) {
      this.#fault(['profiles', name], 'profile-cycle', `the profile extends itself: ${[...behind, name].join(' -> ')}`);
      return this.#builtIn('budget_optimized');
    }
    const { extends: base = 'budget_optimized', ...sectionsOf } = own[name] as NonNullable<
      Document['profiles']
    >[string];
    const under = this.#named(base, ['profiles', name, 'extends'], [...behind, name]);
    return { ...this.#with(under, sectionsOf, ['profiles', name]), name };
  }

  #builtIn(name: keyof typeof BUILT_IN_PROFILES): MemoryProfile {
    const profile: MemoryProfile = BUILT_IN_PROFILES[name];
    if (!this.#captures) return profile;
    return { ...profile, capture: { ...profile.capture, conversationJsonl: true, autoPersistResponse: true } };
  }

  #with(base: MemoryProfile, own: Sections, path: DocumentPath): MemoryProfile {
    const { lifecycle = {}, retrieval = {}, injection = {}, capture = {} } = own;
    const rankerWeights: ProfileWeights = {
      ...base.retrieval.rankerWeights,
      ...(defined(retrieval.ranker_weights ?? {}) as Partial<ProfileWeights>),
    };
    const sum = Object.values(rankerWeights).reduce((total, weight) => total + weight, 0);
    if (Math.abs(sum - 1) > 1e-6)
      this.#fault(
        [...path, 'retrieval', 'ranker_weights'],
        'weights-sum',
        `the weights sum to ${Number(sum.toFixed(6))}`,
        'a sum of 1, with those of the profile that are not given',
      );
    return {
      ...base,
      lifecycle: { ...base.lifecycle, ...camel(lifecycle) },
      retrieval: { ...base.retrieval, ...camel({ ...retrieval, ranker_weights: undefined }), rankerWeights },
      injection: { ...base.injection, ...camel(injection) },
      capture: { ...base.capture, ...camel(capture) },
    };
  }

  #fault(path: DocumentPath, code: string, message: string, expected?: string): void {
    const fault = faultAt(this.#document, path, { code, message, ...(expected === undefined ? {} : { expected }) });
    if (!this.faults.some((one) => one.code === code && one.path === fault.path)) this.faults.push(fault);
  }
}

function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function camel(values: object): { [name: string]: never } {
  const entries = Object.entries(defined(values)).map(([name, value]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(entries) as { [name: string]: never };
}
