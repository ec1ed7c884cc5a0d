import { foldName } from '@warrant/core';
import { GRAPH_FORMAT, TOOLS_FORMAT } from '@warrant/graph/documents';
import { stringify } from 'yaml';

/** A tool as an agent is given it: what is known of it by its definition. */
export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  /** What the definition itself claims; nobody has checked it. */
  readonly readOnly: boolean | null;
  readonly destructive: boolean | null;
};

/** Reads a list of MCP tools (`{ tools: […] }` or the list alone) or of function tools; undefined for something else. */
export function readToolDefinitions(value: unknown): readonly ToolDefinition[] | undefined {
  const list = Array.isArray(value) ? value : asRecord(value)['tools'];
  if (!Array.isArray(list)) return undefined;
  const tools = list.map(readTool);
  return tools.every((tool) => tool !== undefined) ? tools : undefined;
}

function readTool(value: unknown): ToolDefinition | undefined {
  const outer = asRecord(value);
  const tool = outer['type'] === 'function' && 'function' in outer ? asRecord(outer['function']) : outer;
  const { name } = tool;
  if (typeof name !== 'string' || name === '' || name.length > 512) return undefined;
  const schema = asRecord(tool['inputSchema'] ?? tool['input_schema'] ?? tool['parameters']);
  const { readOnlyHint, destructiveHint } = asRecord(tool['annotations']);
  return {
    name,
    description: textOf(tool['description']),
    parameters: Object.entries(asRecord(schema['properties'])).map(([parameter, described]) => ({
      name: parameter,
      description: textOf(asRecord(described)['description']),
    })),
    readOnly: typeof readOnlyHint === 'boolean' ? readOnlyHint : null,
    destructive: typeof destructiveHint === 'boolean' ? destructiveHint : null,
  };
}

const LOOKS = new Set(
  'get list read search find fetch show describe view query lookup retrieve count check'.split(' '),
);
const UNDOES_NOT = new Set(
  'delete remove destroy drop purge send pay transfer publish forward refund erase'.split(' '),
);
/** What tools are often called after, and what says nothing about the thing they work on. */
const FILLERS = new Set('a an the of to by in on for from with and all batch bulk'.split(' '));

type Guess = { readonly act: string; readonly thing: string | null; readonly looks: boolean; readonly grave: boolean };

function guess(tool: ToolDefinition): Guess {
  const words = wordsOf(tool.name);
  const rest = words.filter((word) => !FILLERS.has(word));
  const verb = rest.find((word) => LOOKS.has(word) || UNDOES_NOT.has(word)) ?? rest[0] ?? tool.name;
  const things = rest.filter((word) => word !== verb);
  const looks = LOOKS.has(verb) && tool.destructive !== true && tool.readOnly !== false;
  return {
    act: words.join('_') || tool.name,
    thing: things.length === 0 ? null : singular(things.join('_')),
    looks,
    grave: UNDOES_NOT.has(verb) || tool.destructive === true,
  };
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(foldName);
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
}

export type ToolDraft = {
  readonly graph: string;
  readonly mapping: string;
  readonly tools: number;
  readonly concepts: number;
};

/**
 * A graph document and a mapping to edit, made from nothing but names and descriptions. Every guess is marked, and
 * nothing in the graph counts before a person has taken the marks away: a tool's description of itself is a claim.
 */
export function draftTools(tools: readonly ToolDefinition[], file: string): ToolDraft {
  const concepts = new Map<string, { readonly comment: string; readonly content: Record<string, unknown> }>();
  const rows: string[] = [];
  for (const tool of tools) {
    const guessed = guess(tool);
    const act = foldName(guessed.act) === foldName(guessed.thing ?? '') ? `${guessed.act}_act` : guessed.act;
    if (guessed.thing !== null && !concepts.has(guessed.thing))
      concepts.set(guessed.thing, {
        comment: 'uncertain: a thing that tools work on',
        content: thingOf(guessed.thing),
      });
    concepts.set(act, { comment: commentOf(tool, guessed), content: actOf(tool, guessed) });
    const names = guessed.thing === null ? [act] : [act, guessed.thing];
    rows.push(`  # uncertain: guessed from the name '${oneLine(tool.name)}'`);
    rows.push(...indented(stringify({ [tool.name]: { concepts: names } }, STYLE)));
  }
  const title = oneLine(file);
  return {
    graph: [
      `format: ${GRAPH_FORMAT}`,
      'name: tools',
      `description: ${JSON.stringify(`Drafted from the tools of ${title}.`)}`,
      '',
      '# Nothing below counts yet. For each concept that is meant, take the leading "# " away and say what each level holds,',
      '# from what you know of the tool and not from what it says of itself. Then: warrant graph import FILE',
      'concepts:',
      ...[...concepts].flatMap(([name, { comment, content }]) => [
        '',
        `  # -- ${comment}`,
        ...stringify({ [name]: content }, STYLE)
          .trimEnd()
          .split('\n')
          .map((line) => `  # ${line}`),
      ]),
      '',
    ].join('\n'),
    mapping: [
      `format: ${TOOLS_FORMAT}`,
      'name: tools',
      '# Concepts that the graph does not have keep a tool from running, which is as safe as a guess can be.',
      tools.length === 0 ? 'tools: {}' : 'tools:',
      ...rows,
      '',
    ].join('\n'),
    tools: tools.length,
    concepts: concepts.size,
  };
}

const STYLE = { lineWidth: 120 } as const;

function commentOf(tool: ToolDefinition, { looks, grave }: Guess): string {
  const kind = looks ? 'seems only to look' : grave ? 'seems not to be undone' : 'seems to change something';
  const claims = [
    ...(tool.readOnly === null ? [] : [`claims readOnly ${tool.readOnly}`]),
    ...(tool.destructive === null ? [] : [`claims destructive ${tool.destructive}`]),
  ];
  return ['uncertain: an act that', kind, ...(claims.length === 0 ? [] : [`(${claims.join(', ')})`])].join(' ');
}

function thingOf(name: string): Record<string, unknown> {
  return {
    existence: { properties: { exists: true } },
    identity: `say what ${name} is`,
    capabilities: `say what can be done with ${name}`,
  };
}

function actOf(tool: ToolDefinition, { act, thing, looks, grave }: Guess): Record<string, unknown> {
  const claims = tool.description === '' ? {} : { properties: { claimed: oneLine(tool.description) } };
  const takes = tool.parameters.map(({ name }) => oneLine(name)).join(', ');
  return {
    existence: { properties: { exists: true } },
    identity: {
      text: `say what ${act} does`,
      ...claims,
      ...(thing === null ? {} : { requires: { [thing]: 'identity' } }),
    },
    capabilities: {
      text: takes === '' ? `say what ${act} can do` : `say what it does with ${takes}`,
      ...(thing === null ? {} : { 'applies-to': { [thing]: 'capabilities' } }),
    },
    ...(looks ? {} : { constraints: `say what has to hold before ${act}` }),
    ...(grave ? { implications: `say what cannot be taken back after ${act}` } : {}),
  };
}

function indented(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
}

/** Text of others, short and on one line: a comment must end where it is meant to. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
