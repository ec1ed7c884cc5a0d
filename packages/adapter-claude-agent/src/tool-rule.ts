import type { Trust } from '@warrant/core';

/** What a tool's calls do, as far as its name tells. `internal` touches nothing outside the client. */
export type ToolEffect = 'read' | 'write' | 'delete' | 'shell' | 'internal';

/** What a tool means to Warrant. */
export type ToolRule = {
  /** The tool's name; `*` stands for any part of it, as in `mcp__github__get_*`. */
  readonly match: string;
  /** Concepts that a call touches. A `shell` tool gets those of its command line as well. @default the tool's own name */
  readonly concepts?: readonly string[];
  /** @default 'write' */
  readonly effect?: ToolEffect;
  /** JSON Pointers into the arguments to what a call touches; a `*` step stands for every member. */
  readonly targets?: readonly string[];
  /** How far results of this tool are to be trusted. @default 'tool' */
  readonly trust?: Trust;
};

/** True when a name fits a pattern in which `*` stands for any characters. */
export function matchesTool(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === name;
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** The first rule that fits goes: rules of one's own stand before those that come with the package. */
export function findRule(rules: readonly ToolRule[], name: string): ToolRule | undefined {
  return rules.find((rule) => matchesTool(rule.match, name));
}
