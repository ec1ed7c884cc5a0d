import { clipText, type Json, type JsonObject } from '@warrant/core';
import { cutText } from './cut-text.ts';

/** Characters of arguments that stand in an entry as they are, written as JSON: an entry has an end. */
const LONGEST = 200_000;
/** What is kept of longer ones. Secrets are looked for in more, so that none is cut in two where it may be seen. */
const KEPT: Limits = { text: LONGEST / 4, all: LONGEST };
const LOOKED_AT: Limits = { text: LONGEST, all: 10 * LONGEST };
const MOST_MEMBERS = 100;
const DEEPEST = 20;
const LONGEST_NAME = 200;
/** A sign that cannot stand in JSON as it is takes six. */
const WIDEST = 6;

type Limits = { readonly text: number; readonly all: number };

/** Arguments as gate and record see them: without secrets, and no longer than an entry may be. */
export function boundedArguments(args: JsonObject, replace: <T>(value: T) => T): JsonObject {
  if (isShort(args)) return replace(args);
  return bounded(replace(bounded(args, LOOKED_AT)), KEPT);
}

function isShort(args: JsonObject): boolean {
  return roomLeft(args, LONGEST) >= 0;
}

/** What is left of the room when the value was written as JSON, about; looking ends where nothing is. */
function roomLeft(value: Json, room: number): number {
  if (typeof value === 'string') return value.length > room ? -1 : room - JSON.stringify(value).length;
  if (typeof value !== 'object' || value === null) return room - 4;
  let left = room - 2;
  const members = value as JsonObject;
  for (const name in members) {
    if (left < 0) return left;
    left = roomLeft(members[name] as Json, left - (Array.isArray(value) ? 1 : name.length + 4));
  }
  return left;
}

function bounded(args: JsonObject, limits: Limits): JsonObject {
  return boundedValue(args, { depth: 0, limits, room: { left: limits.all } }) as JsonObject;
}

type Place = { readonly depth: number; readonly limits: Limits; readonly room: { left: number } };

function boundedValue(value: Json, place: Place): Json {
  const { room, limits, depth } = place;
  if (typeof value === 'string') return boundedText(value, limits, room);
  if (typeof value !== 'object' || value === null) {
    room.left -= 4;
    return value;
  }
  if (depth > DEEPEST) return null;
  const inner = { ...place, depth: depth + 1 };
  const names = firstNames(value as JsonObject);
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return names.flatMap((name) => (room.left > 0 ? [boundedValue(items[Number(name)] as Json, inner)] : []));
  }
  return Object.fromEntries(
    names.flatMap((name) => {
      if (room.left <= 0) return [];
      const short = clipText(name, LONGEST_NAME);
      room.left -= short.length;
      return [[short, boundedValue((value as JsonObject)[name] as Json, inner)]];
    }),
  );
}

function boundedText(text: string, limits: Limits, room: { left: number }): string {
  const most = Math.max(0, Math.min(limits.text, room.left));
  let kept = cutText(text, most);
  if (JSON.stringify(kept).length > most + 8) kept = cutText(text, Math.floor(most / WIDEST));
  room.left -= JSON.stringify(kept).length;
  return kept;
}

/** The first names of an object; one of hundreds of thousands is not gone through. */
function firstNames(value: JsonObject): readonly string[] {
  const names: string[] = [];
  for (const name in value) {
    if (names.length >= MOST_MEMBERS) break;
    names.push(name);
  }
  return names;
}
