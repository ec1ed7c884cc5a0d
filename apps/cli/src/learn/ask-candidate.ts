import type { DepthLevel, Gap, Json, JsonObject, RelationType } from '@warrant/core';
import { RELATION_TYPES } from '@warrant/graph';
import { type LearningCandidate, templateForGap } from '@warrant/grounding';
import type { Terminal } from '../cli/terminal.ts';
import { visibleLine } from '../cli/visible.ts';

type Ask = Pick<Terminal, 'ask' | 'write'>;

/** Fills the template of a gap by asking; null when the person skips it. */
export async function askCandidate(
  gap: Gap,
  concepts: readonly string[],
  terminal: Ask,
): Promise<LearningCandidate | null> {
  const template = templateForGap(gap);
  switch (template.type) {
    case 'existence': {
      const properties = await askProperties(`What is '${visibleLine(template.name)}'? (level 1)`, terminal);
      return properties === null ? null : { ...template, identity: { level: 1, properties } };
    }
    case 'depth':
    case 'relational':
      return askLevels(template, terminal);
    case 'reachability':
      return askEdge(gap.type === 'reachability' ? gap.concept : '', concepts, terminal);
  }
}

async function askLevels(
  template: Extract<LearningCandidate, { type: 'depth' | 'relational' }>,
  terminal: Ask,
): Promise<LearningCandidate | null> {
  const levels = [];
  for (const { level } of template.levels) {
    const properties = await askProperties(`What is known at level ${level}, ${LEVEL_NAMES[level]}?`, terminal);
    if (properties === null) return null;
    levels.push({ level, properties });
  }
  return { type: template.type, levels };
}

const LEVEL_NAMES: Readonly<Record<DepthLevel, string>> = {
  0: 'existence',
  1: 'identity',
  2: 'capabilities',
  3: 'constraints',
  4: 'implications',
};

/** `key = value` lines until an empty one; a value that is JSON is taken as such. */
async function askProperties(question: string, terminal: Ask): Promise<JsonObject | null> {
  terminal.write(`${question}\n  One 'name = value' a line; an empty line ends, 's' skips.\n`);
  const properties = new Map<string, Json>();
  for (;;) {
    const line = (await terminal.ask('  > '))?.trim();
    if (line === undefined || line === 's') return null;
    if (line === '') return properties.size > 0 ? Object.fromEntries(properties) : null;
    const [, name, value] = /^([^=]+?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined || value === '') terminal.write("  That is not 'name = value'.\n");
    else properties.set(name, jsonOrText(value));
  }
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

async function askEdge(concept: string, concepts: readonly string[], terminal: Ask): Promise<LearningCandidate | null> {
  const others = concepts.filter((one) => one !== concept);
  const shown = visibleLine(concept);
  const target = await askWith(`Which concept is '${shown}' connected to?`, others[0] ?? '', terminal);
  if (target === null) return null;
  const relation = await askRelation(terminal);
  if (relation === null) return null;
  const sourceDepth = await askLevel(`From which level of '${shown}'?`, 2, terminal);
  if (sourceDepth === null) return null;
  const targetDepth = await askLevel(`To which level of '${visibleLine(target)}'?`, 1, terminal);
  return targetDepth === null
    ? null
    : { type: 'reachability', source: concept, target, relation, sourceDepth, targetDepth };
}

/** Asks until the answer is one, or the person skips. */
async function askRelation(terminal: Ask): Promise<RelationType | null> {
  for (;;) {
    const line = await askWith(`How? ${RELATION_TYPES.join(', ')}`, 'applies-to', terminal);
    const relation = RELATION_TYPES.find((one) => one === line?.toLowerCase());
    if (line === null || relation !== undefined) return relation ?? null;
    terminal.write("  That is none of them ('s' skips).\n");
  }
}

async function askLevel(question: string, usual: DepthLevel, terminal: Ask): Promise<DepthLevel | null> {
  for (;;) {
    const line = await askWith(question, String(usual), terminal);
    const [, level] = /^D?([0-4])$/i.exec(line ?? '') ?? [];
    if (line === null || level !== undefined) return line === null ? null : (Number(level) as DepthLevel);
    terminal.write("  A level is a number from 0 to 4 ('s' skips).\n");
  }
}

async function askWith(question: string, usual: string, terminal: Ask): Promise<string | null> {
  const line = (await terminal.ask(`${question} [${visibleLine(usual)}] `))?.trim();
  if (line === undefined || line === 's') return null;
  return line === '' ? usual : line;
}
