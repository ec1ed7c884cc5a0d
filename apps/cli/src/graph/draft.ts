import { clipText, type DepthLevel, foldName, type Gap, isWellFormed } from '@warrant/core';
import { GRAPH_LIMITS } from '@warrant/graph';
import { GRAPH_FORMAT, LEVEL_WORDS } from '@warrant/graph/documents';
import { Scalar, stringify } from 'yaml';

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
    ...wanted.flatMap((one) => ['', heading(one), ...entryOf(one)]),
    '',
  ].join('\n');
}

/** Calls may name what no concept can be called: that is told, and not drafted. */
function entryOf(one: Wanted): readonly string[] {
  if (canBeName(one.name)) return commented(new Map([[textOf(one.name), conceptOf(one)]]));
  return [
    `  # -- ${shown(one.name)} can be no concept's name: 1 to ${GRAPH_LIMITS.nameLength} characters of whole text`,
  ];
}

function canBeName(name: string): boolean {
  return name !== '' && name.length <= GRAPH_LIMITS.nameLength && isWellFormed(name);
}

/** A name in quotes where it would not be read back otherwise, or could not be seen. */
function textOf(name: string): string | Scalar<string> {
  if (isPlain(name)) return name;
  const quoted = new Scalar(name);
  quoted.type = Scalar.QUOTE_DOUBLE;
  return quoted;
}

const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(mark: string): string {
  return `\\U${(mark.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

function isPlain(name: string): boolean {
  return name === name.trim() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}

function shown(name: string): string {
  return isPlain(name) && canBeName(name) ? name : JSON.stringify(clipText(name, 60));
}

function heading({ count: missed, known }: Wanted): string {
  return `  # -- missed ${missed} ${missed === 1 ? 'time' : 'times'}${known ? '' : ', not known at all'}`;
}

function commented(value: ReadonlyMap<unknown, unknown>): readonly string[] {
  const lines = stringify(value, { lineWidth: 120 }).trimEnd().split('\n');
  // What is not seen, and turns the direction of what is, stands in quotes only: there it can be escaped.
  return lines.map((line) => `  # ${line.replace(UNSEEN, escaped)}`);
}

function conceptOf({ name, known, levels, connect }: Wanted): ReadonlyMap<string, unknown> {
  const concept = new Map<string, unknown>();
  for (const level of [...levels].sort((a, b) => a - b)) {
    const what = `say what is known about ${shown(name)} here`;
    concept.set(LEVEL_WORDS[level], level === 0 ? { properties: { exists: true } } : what);
  }
  const other = [...connect].sort((a, b) => b[1] - a[1]).find(([target]) => canBeName(target))?.[0];
  if (other === undefined) return concept;
  // An edge stands on a level: a new concept gets its identity first, a known one is taken to have it.
  const edge = { 'applies-to': new Map([[textOf(other), LEVEL_WORDS[1]]]) };
  return concept.set(LEVEL_WORDS[1], known ? edge : { text: `say what ${shown(name)} is`, ...edge });
}
