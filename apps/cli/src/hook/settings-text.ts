import { WarrantError } from '@warrant/core';
import { type EntryOptions, hookEntries, readEntry } from './entries.ts';
import { appendAt, nodeAt, removeAt } from './json-edit.ts';
import { type JsonNode, jsonOf, parseJsonTree } from './json-tree.ts';

/** The settings' text with our entries and nothing else changed; the same text where they are there already. */
export function installInto(text: string | null, options: EntryOptions): string {
  const before = text === null || text.trim() === '' ? '{}\n' : text;
  if (hasExactly(before, options)) return before;
  let out = uninstallFrom(before);
  for (const { event, entry } of hookEntries(options)) {
    if (nodeAt(rootOf(out), ['hooks']) === undefined) out = appendAt(out, [], { name: 'hooks', value: {} });
    if (nodeAt(rootOf(out), ['hooks', event]) === undefined) out = appendAt(out, ['hooks'], { name: event, value: [] });
    out = appendAt(out, ['hooks', event], { value: { hooks: [entry] } });
  }
  return out;
}

/** The settings' text without our entries; what becomes empty by that goes too. */
export function uninstallFrom(text: string): string {
  let out = text;
  for (const event of eventsIn(rootOf(out))) out = withoutOurs(out, event);
  return out;
}

export type InstalledEntry = {
  readonly event: string;
  readonly value: unknown;
  /** For which tools, or kinds, its group is called; null for all. */
  readonly matcher: string | null;
};

/** Our entries in the settings, by event. */
export function installedIn(text: string): readonly InstalledEntry[] {
  const root = rootOf(text);
  return eventsIn(root).flatMap((event) =>
    groupsOf(root, event).flatMap((group) =>
      hooksOf(group)
        .map(jsonOf)
        .filter((value) => readEntry(value) !== null)
        .map((value) => ({ event, value, matcher: matcherOf(group) })),
    ),
  );
}

/** True where the client is told to call no hook at all. */
export function disablesAll(text: string): boolean {
  const node = nodeAt(rootOf(text), ['disableAllHooks']);
  return node?.type === 'scalar' && node.value === true;
}

function matcherOf(group: JsonNode): string | null {
  const node = nodeAt(group, ['matcher']);
  const matcher = node === undefined ? '' : jsonOf(node);
  return matcher === '' || matcher === '*' ? null : JSON.stringify(matcher);
}

function hasExactly(text: string, options: EntryOptions): boolean {
  const wanted = hookEntries(options).map(({ event, entry }) => JSON.stringify([event, entry, null]));
  const there = installedIn(text).map(({ event, value, matcher }) => JSON.stringify([event, value, matcher]));
  return wanted.length === there.length && wanted.every((entry) => there.includes(entry));
}

function withoutOurs(text: string, event: string): string {
  let out = text;
  let removed = false;
  for (let at = groupsOf(rootOf(out), event).length - 1; at >= 0; at -= 1) {
    const hooks = hooksOf(groupsOf(rootOf(out), event)[at] as JsonNode);
    const ours = hooks.map((hook) => readEntry(jsonOf(hook)) !== null);
    if (!ours.includes(true)) continue;
    removed = true;
    if (!ours.includes(false)) out = removeAt(out, ['hooks', event, at]);
    else {
      for (let hook = ours.length - 1; hook >= 0; hook -= 1) {
        if (ours[hook] === true) out = removeAt(out, ['hooks', event, at, 'hooks', hook]);
      }
    }
  }
  if (!removed) return out;
  if (groupsOf(rootOf(out), event).length === 0 && isBare(out, ['hooks', event])) out = removeAt(out, ['hooks', event]);
  const hooks = nodeAt(rootOf(out), ['hooks']);
  const empty = hooks?.type === 'object' && hooks.members.length === 0 && isBare(out, ['hooks']);
  return empty ? removeAt(out, ['hooks']) : out;
}

/** True when a container holds not even a comment. */
function isBare(text: string, path: readonly string[]): boolean {
  const node = nodeAt(rootOf(text), path);
  return node !== undefined && text.slice(node.start + 1, node.end - 1).trim() === '';
}

function rootOf(text: string): JsonNode {
  const root = parseJsonTree(text);
  if (root.type !== 'object') throw shape('the settings are no object');
  const hooks = nodeAt(root, ['hooks']);
  if (hooks !== undefined && hooks.type !== 'object') throw shape("'hooks' in the settings is no object");
  refuseTwice(root, (name) => name === 'hooks');
  if (hooks !== undefined) refuseTwice(hooks, () => true);
  return root;
}

/** Of two members of one name the client reads the last only: an entry in the first would never be called. */
function refuseTwice(node: JsonNode, counts: (name: string) => boolean): void {
  const seen = new Set<string>();
  for (const { name } of node.type === 'object' ? node.members : []) {
    if (counts(name) && seen.has(name)) throw shape(`'${name}' stands twice in the settings, and the client reads one`);
    seen.add(name);
  }
}

function eventsIn(root: JsonNode): readonly string[] {
  const hooks = nodeAt(root, ['hooks']);
  return hooks?.type === 'object' ? hooks.members.map(({ name }) => name) : [];
}

function groupsOf(root: JsonNode, event: string): readonly JsonNode[] {
  const groups = nodeAt(root, ['hooks', event]);
  if (groups === undefined) return [];
  if (groups.type !== 'array') throw shape(`'hooks.${event}' in the settings is no list`);
  return groups.items;
}

function hooksOf(group: JsonNode): readonly JsonNode[] {
  const hooks = nodeAt(group, ['hooks']);
  return hooks?.type === 'array' ? hooks.items : [];
}

function shape(message: string): WarrantError {
  return new WarrantError('CLI_SETTINGS_INVALID', message);
}
