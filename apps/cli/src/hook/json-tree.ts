import { WarrantError } from '@warrant/core';

/** A value of a JSON text with its place in it, so that the text can be changed and the rest stays as it is. */
export type JsonNode =
  | {
      readonly type: 'object';
      readonly start: number;
      readonly end: number;
      readonly members: readonly { readonly name: string; readonly start: number; readonly value: JsonNode }[];
    }
  | { readonly type: 'array'; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly type: 'scalar'; readonly start: number; readonly end: number; readonly value: unknown };

const DEEPEST = 100;

/** Reads JSON in which comments and commas at the end are allowed, as editors of settings write it. @throws CLI_SETTINGS_INVALID */
export function parseJsonTree(text: string): JsonNode {
  const reader = new Reader(text);
  reader.skip();
  const node = reader.value(0);
  reader.skip();
  if (reader.at < text.length) throw reader.fault('the end of the file');
  return node;
}

/** The value of a node, without its place. */
export function jsonOf(node: JsonNode): unknown {
  if (node.type === 'scalar') return node.value;
  if (node.type === 'array') return node.items.map(jsonOf);
  return Object.fromEntries(node.members.map(({ name, value }) => [name, jsonOf(value)]));
}

class Reader {
  at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  fault(wanted: string): WarrantError {
    const before = this.text.slice(0, this.at).split('\n');
    const line = before.length;
    const column = (before.at(-1) as string).length + 1;
    return new WarrantError('CLI_SETTINGS_INVALID', `line ${line}, column ${column}: ${wanted} was expected`, {
      data: { line, column },
    });
  }

  skip(): void {
    for (;;) {
      const rest = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\uFEFF)/.exec(this.text.slice(this.at, this.at + 100_000));
      if (rest === null) return;
      this.at += rest[0].length;
    }
  }

  value(depth: number): JsonNode {
    if (depth > DEEPEST) throw this.fault('less nesting');
    if (this.text[this.at] === '{') return this.object(depth);
    if (this.text[this.at] === '[') return this.array(depth);
    return this.scalar();
  }

  private scalar(): JsonNode {
    const start = this.at;
    const found = /^(?:"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/.exec(
      this.text.slice(start),
    );
    if (found === null) throw this.fault('a value');
    this.at += found[0].length;
    try {
      return { type: 'scalar', start, end: this.at, value: JSON.parse(found[0]) };
    } catch {
      this.at = start;
      throw this.fault('a value');
    }
  }

  private object(depth: number): JsonNode {
    const start = this.at;
    const members: { name: string; start: number; value: JsonNode }[] = [];
    this.list('}', () => {
      const at = this.at;
      const key = this.scalar();
      if (key.type !== 'scalar' || typeof key.value !== 'string') throw this.fault('a name');
      this.skip();
      this.take(':');
      this.skip();
      members.push({ name: key.value, start: at, value: this.value(depth + 1) });
    });
    return { type: 'object', start, end: this.at, members };
  }

  private array(depth: number): JsonNode {
    const start = this.at;
    const items: JsonNode[] = [];
    this.list(']', () => items.push(this.value(depth + 1)));
    return { type: 'array', start, end: this.at, items };
  }

  private list(close: string, item: () => void): void {
    this.at += 1;
    this.skip();
    while (this.text[this.at] !== close) {
      item();
      this.skip();
      if (this.text[this.at] === close) break;
      this.take(',');
      this.skip();
    }
    this.at += 1;
  }

  private take(sign: string): void {
    if (this.text[this.at] !== sign) throw this.fault(`'${sign}'`);
    this.at += 1;
  }
}
