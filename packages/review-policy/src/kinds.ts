/** What rules can know about a kind of proposal, as plain data. */
export type KindProfile = {
  readonly kind: string;
  /** Payload keys whose lists together are the evidence; empty when the kind has none. */
  readonly evidenceKeys: readonly string[];
  /** True when `payload.confidence` counts. */
  readonly hasConfidence: boolean;
  /** True when `payload.type` is what `claim_type` looks at. */
  readonly hasClaimType: boolean;
  /** The payload keys that the kind has; `null` when unknown, then lint says nothing about keys. */
  readonly payloadKeys: readonly string[] | null;
};

/** Kinds by name; parsing refuses a rule that names another. */
export type KindTable = ReadonlyMap<string, KindProfile>;

/** What `claim_type` may name. */
export const CLAIM_TYPES: readonly string[] = [
  'fact',
  'decision',
  'preference',
  'workflow',
  'observation',
  'question',
  'warning',
];

const TIMES = 'created_at updated_at';
const profile = (kind: string, keys: string, rest: Partial<KindProfile>): KindProfile => ({
  kind,
  evidenceKeys: [],
  hasConfidence: false,
  hasClaimType: false,
  payloadKeys: keys.split(' '),
  ...rest,
});

/** The kinds of a vouch knowledge base. */
export const KNOWLEDGE_KINDS: readonly KindProfile[] = [
  profile(
    'claim',
    `id text type status confidence evidence entities supersedes superseded_by contradicts scope tags last_confirmed_at ${TIMES}`,
    { evidenceKeys: ['evidence'], hasConfidence: true, hasClaimType: true },
  ),
  profile('page', `id title body type status claims entities sources scope tags metadata ${TIMES}`, {
    evidenceKeys: ['claims', 'sources'],
  }),
  profile('entity', `id name type aliases description page ${TIMES}`, {}),
  profile('relation', `id source relation target confidence evidence ${TIMES}`, {
    evidenceKeys: ['evidence'],
    hasConfidence: true,
  }),
  profile('delete', 'target_kind id snapshot', {}),
];

/** A table of the knowledge kinds and, when given, of further ones. A later profile replaces an earlier one of the same kind. */
export function kindTable(further: readonly KindProfile[] = []): KindTable {
  return new Map([...KNOWLEDGE_KINDS, ...further].map((item) => [item.kind, item]));
}

/** The table used when none is given. */
export const DEFAULT_KINDS: KindTable = kindTable();
