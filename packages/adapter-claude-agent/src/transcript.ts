import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes from the end of a transcript that are looked at. */
const TAIL = 1_000_000;

type Line = {
  readonly type?: unknown;
  readonly isSidechain?: unknown;
  readonly message?: { readonly id?: unknown; readonly content?: unknown };
};

/**
 * What the agent said last, from the client's transcript: null where that is not in it, or not yet. The client may be writing
 * it, so a line that is not whole is passed over; and what was said before a call or a prompt is no last word.
 */
export function lastMessageIn(path: string): string | null {
  let said: { readonly id: unknown; readonly text: string } | null = null;
  for (const line of tailOf(path).split('\n').reverse()) {
    const entry = parsed(line);
    if (entry === null || entry.isSidechain === true) continue;
    if (entry.type !== 'assistant' && entry.type !== 'user') continue;
    const text = entry.type === 'assistant' ? textOf(entry.message?.content) : null;
    const id = entry.message?.id;
    if (text === null || (said !== null && (id === undefined || id !== said.id))) break;
    said = { id, text: said === null ? text : `${text}\n${said.text}` };
  }
  return said === null ? null : said.text.trim();
}

function tailOf(path: string): string {
  let file: number | undefined;
  try {
    // A pipe that nobody writes to would be waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8', 0, read);
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function parsed(line: string): Line | null {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null ? (value as Line) : null;
  } catch {
    return null;
  }
}

/** The text of a message, or null of one that calls a tool: more is to come then. */
function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const blocks = content as readonly ({ readonly type?: unknown; readonly text?: unknown } | null)[];
  if (blocks.some((block) => block?.type === 'tool_use')) return null;
  return blocks.flatMap((block) => (typeof block?.text === 'string' ? [block.text] : [])).join('\n');
}
