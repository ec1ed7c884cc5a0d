import { type DepthLevel, foldName, type Gap } from '@warrant/core';
import { GRAPH_FORMAT, LEVEL_WORDS } from '@warrant/graph/documents';
import { stringify } from 'yaml';

/** What a check told: the concepts it was about and the gaps it found. */
export type SeenCheck = { readonly concepts: readonly string[]; readonly gaps: readonly Gap[] };

type Wanted = {
  readonly name: string;
  count: number;
  known: boolean;
  readonly levels: Set<DepthLevel>;
  readonly connect: Map<string, number>;
};

/**
 * A graph document to edit, made from what was asked and not known: concepts by how often they were missed, a place for
 * each missing level, and a guess for each missing connection. Every text in it waits for a person.
 */
export function draftGraph(checks: Iterable<SeenCheck>): {
  readonly text: string;
  readonly concepts: number;
  readonly checks: number;
} {
  const wanted = new Map<string, Wanted>();
  let seen = 0;
  for (const check of checks) {
    seen += 1;
    for (const gap of check.gaps) count(wanted, gap, check.concepts);
  }
  const ordered = [...wanted.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return { text: documentOf(ordered, seen), concepts: ordered.length, checks: seen };
}

function count(wanted: Map<string, Wanted>, gap: Gap, concepts: readonly string[]): void {
  const name = gap.type === 'relational' ? gap.target : gap.concept;
  const entry = wanted.get(foldName(name)) ?? {
    name,
    count: 0,
    known: gap.type !== 'existence',
    levels: new Set<DepthLevel>(),
    connect: new Map<string, number>(),
  };
  wanted.set(foldName(name), entry);
  entry.count += 1;
  if (gap.type === 'existence') for (const level of [0, 1] as const) entry.levels.add(level);
  if (gap.type === 'depth' || gap.type === 'relational') for (const level of gap.missing) entry.levels.add(level);
  if (gap.type === 'reachability' || gap.type === 'existence') {
    const other = concepts.find((concept) => foldName(concept) !== foldName(name));
    if (other !== undefined) entry.connect.set(other, (entry.connect.get(other) ?? 0) + 1);
  }
}

function documentOf(wanted: readonly Wanted[], checks: number): string {
  return [
    `format: ${GRAPH_FORMAT}`,
    'name: draft',
    `description: Drafted from ${checks} checks.`,
    '',
    '# Nothing below counts yet: what is not known must not become known by itself. For each concept that is meant, take the',
    "# leading '# ' away, say what each level holds, and correct the guessed edge. Then: warrant graph import FILE",
    'concepts:',
    ...wanted.flatMap((one) => ['', heading(one), ...commented({ [one.name]: conceptOf(one) })]),
    '',
  ].join('\n');
}

function heading({ count: missed, known }: Wanted): string {
  return `  # -- missed ${missed} ${missed === 1 ? 'time' : 'times'}${known ? '' : ', not known at all'}`;
}

function commented(value: object): readonly string[] {
  const lines = stringify(value, { lineWidth: 120 }).trimEnd().split('\n');
  return lines.map((line) => `  # ${line}`);
}

function conceptOf({ name, known, levels, connect }: Wanted): Record<string, unknown> {
  const sorted = [...levels].sort((a, b) => a - b);
  const parts: [string, unknown][] = sorted.map((level) => [
    LEVEL_WORDS[level],
    level === 0 ? { properties: { exists: true } } : `say what is known about ${name} here`,
  ]);
  const other = [...connect].sort((a, b) => b[1] - a[1])[0]?.[0];
  if (other === undefined) return Object.fromEntries(parts);
  // An edge stands on a level: a new concept gets its identity first, a known one is taken to have it.
  const edge = { 'applies-to': { [other]: LEVEL_WORDS[1] } };
  const identity = known ? edge : { text: `say what ${name} is`, ...edge };
  return { ...Object.fromEntries(parts), [LEVEL_WORDS[1]]: identity };
}
