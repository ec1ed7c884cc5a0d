import { type JsonNode, parseJsonTree } from './json-tree.ts';

type Container = Extract<JsonNode, { readonly type: 'object' | 'array' }>;
type Part = { readonly start: number; readonly end: number };

/** Where an object or array stands, by the names and places on the way to it. */
export type Path = readonly (string | number)[];

export function nodeAt(root: JsonNode, path: Path): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) {
    if (node?.type === 'object' && typeof step === 'string') {
      node = node.members.find(({ name }) => name === step)?.value;
    } else if (node?.type === 'array' && typeof step === 'number') node = node.items[step];
    else return undefined;
  }
  return node;
}

/** The text without one member or item of a container; everything else stays, comments too. */
export function removeAt(text: string, path: Path): string {
  const { container, index } = placeOf(text, path);
  const parts = partsOf(container);
  const part = parts[index] as Part;
  const before = parts[index - 1];
  const comma = commaAfter(text, part.end, container.end);
  const from = startOfBlank(text, part.start);
  const cut = (value: string, start: number, end: number): string => value.slice(0, start) + value.slice(end);
  let out: string;
  if (comma !== null && parts.length > index + 1) out = cut(text, from, comma + 1);
  else {
    out = cut(text, from, comma === null ? part.end : comma + 1);
    // A list whose last part has a comma behind it goes on having one.
    const left = before === undefined || comma !== null ? null : commaAfter(text, before.end, part.start);
    if (left !== null) out = cut(out, left, left + 1);
  }
  return parts.length === 1 ? collapsed(out, path.slice(0, -1)) : out;
}

/** The text with one more member or item at the end of a container. */
export function appendAt(text: string, path: Path, part: { readonly name?: string; readonly value: unknown }): string {
  const root = parseJsonTree(text);
  const container = nodeAt(root, path) as Container;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = indentOf(text);
  const outer = unit.repeat(path.length);
  const inner = outer + unit;
  const body = JSON.stringify(part.value, null, unit)
    .split('\n')
    .join(newline + inner);
  const written = part.name === undefined ? body : `${JSON.stringify(part.name)}: ${body}`;
  const last = partsOf(container).at(-1);
  if (last === undefined) {
    const inside = text.slice(container.start + 1, container.end - 1);
    const kept = inside.trim() === '' ? '' : inside.trimEnd();
    const filled = `${kept}${newline}${inner}${written}${newline}${outer}`;
    return text.slice(0, container.start + 1) + filled + text.slice(container.end - 1);
  }
  const comma = commaAfter(text, last.end, container.end);
  // What is said of the last part on its own line stays with it.
  const at = endOfRemark(text, comma === null ? last.end : comma + 1);
  return comma === null
    ? `${text.slice(0, last.end)},${text.slice(last.end, at)}${newline}${inner}${written}${text.slice(at)}`
    : `${text.slice(0, at)}${newline}${inner}${written},${text.slice(at)}`;
}

function placeOf(text: string, path: Path): { readonly container: Container; readonly index: number } {
  const container = nodeAt(parseJsonTree(text), path.slice(0, -1)) as Container;
  const last = path.at(-1);
  const index =
    container.type === 'object' ? container.members.findIndex(({ name }) => name === last) : (last as number);
  return { container, index };
}

function partsOf(container: Container): readonly Part[] {
  return container.type === 'object'
    ? container.members.map(({ start, value }) => ({ start, end: value.end }))
    : container.items;
}

/** The comma behind a part, with comments in between passed over. */
function commaAfter(text: string, from: number, to: number): number | null {
  for (let at = from; at < to; at += 1) {
    const rest = text.slice(at, to);
    const comment = /^(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/.exec(rest);
    if (comment !== null) at += comment[0].length - 1;
    else if (text[at] === ',') return at;
    else if (!/\s/.test(text[at] as string)) return null;
  }
  return null;
}

/** The end of the comments behind a place, where nothing but them is left of its line. */
function endOfRemark(text: string, at: number): number {
  const remark = /^(?:[ \t]*\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:[ \t]*\/\/[^\n]*?)?(?=[ \t]*\r?(?:\n|$))/.exec(
    text.slice(at),
  );
  return at + (remark?.[0].length ?? 0);
}

function startOfBlank(text: string, start: number): number {
  let at = start;
  while (at > 0 && /\s/.test(text[at - 1] as string)) at -= 1;
  return at;
}

/** A container that nothing but blanks is left in is written as an empty one. */
function collapsed(text: string, path: Path): string {
  const container = nodeAt(parseJsonTree(text), path) as Container;
  const inside = text.slice(container.start + 1, container.end - 1);
  return inside.trim() === '' ? text.slice(0, container.start + 1) + text.slice(container.end - 1) : text;
}

function indentOf(text: string): string {
  return /\n([ \t]+)["{[]/.exec(text)?.[1] ?? '  ';
}
