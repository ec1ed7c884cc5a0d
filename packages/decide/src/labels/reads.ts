/** What an expression may read: data items by name or all of them, and the event. Never less than it reads. */
export type Reads = { readonly items: ReadonlySet<string>; readonly all: boolean; readonly event: boolean };

const NO_ITEMS: ReadonlySet<string> = new Set();
/** What a literal reads. */
export const READS_NOTHING: Reads = { items: NO_ITEMS, all: false, event: false };
export const READS_EVERYTHING: Reads = { items: NO_ITEMS, all: true, event: true };

const RAW_STRING = /\b(?:r|rb|br|R)["']/;
const STRING = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** Reads the text of a CEL expression, not its tree, so that it also serves where no compiler is at hand. */
export function readsIn(source: string): Reads {
  if (RAW_STRING.test(source)) return READS_EVERYTHING;
  const code = source.replace(STRING, '""');
  const items = new Set<string>();
  let all = false;
  for (const [, name] of code.matchAll(/\bctx\b(?:\s*[.]\s*([A-Za-z_]\w*))?/g)) {
    if (name === undefined) all = true;
    else items.add(name);
  }
  return { items, all, event: /\bev\b/.test(code) };
}

export function readsItem(name: string): Reads {
  return { items: new Set([name]), all: false, event: false };
}

export function joinReads(parts: readonly Reads[]): Reads {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return {
    items: new Set(parts.flatMap(({ items }) => [...items])),
    all: parts.some(({ all }) => all),
    event: parts.some(({ event }) => event),
  };
}

/** The data item that a location lies in; undefined when its text does not say. */
export function itemAt(location: string): { readonly item: string; readonly whole: boolean } | undefined {
  const match = /^\s*(?:ctx\s*[.]\s*)?([A-Za-z_]\w*)\s*(.*)$/s.exec(location);
  return match === null ? undefined : { item: match[1] as string, whole: match[2] === '' };
}

/** The parts of an expression that makes an object, such as `{"to": ctx.to, "n": 5}`; undefined for any other. */
export function membersOf(source: string): readonly (readonly [name: string, expr: string])[] | undefined {
  const text = source.trim();
  if (!text.startsWith('{') || !text.endsWith('}') || RAW_STRING.test(text)) return undefined;
  const members: (readonly [string, string])[] = [];
  for (const part of split(text.slice(1, -1))) {
    const match = /^\s*(?:"((?:[^"\\])*)"|'((?:[^'\\])*)')\s*:([\s\S]*)$/.exec(part);
    if (match === null) return undefined;
    members.push([match[1] ?? match[2] ?? '', match[3] as string]);
  }
  return members;
}

/** At commas that stand in no string and no bracket. */
function split(text: string): readonly string[] {
  const blanked = text.replace(STRING, (found) => '_'.repeat(found.length));
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < blanked.length; at += 1) {
    const sign = blanked[at] as string;
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    else if (sign === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
    // The brace that opened the text was closed before its end: it makes no single object.
    if (depth < 0) return [''];
  }
  const last = text.slice(from);
  return last.trim() === '' ? parts : [...parts, last];
}
