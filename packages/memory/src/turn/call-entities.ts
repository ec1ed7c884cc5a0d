import { type CallEffects, foldName, isWellFormed, type Json, type JsonObject } from '@warrant/core';

/** What is about to be done. */
export type CallInput = {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Of a classifier; the paths that a command line touches are not guessed without it. */
  readonly effects?: CallEffects;
};

const PATH_FIELDS: ReadonlySet<string> = new Set(
  'file_path filepath filename file path paths files notebook_path target source destination directory cwd old_path new_path'.split(
    ' ',
  ),
);
/** `--select a b+`, `-s a`, `--models a`: names of models on a command line. */
const SELECTED =
  /(?:^|\s)(?:--select|--models?|-s|-m)(?:=|\s+)(?<names>[^\s&|;<>-][^\s&|;<>]*(?:[ \t]+[^\s&|;<>-][^\s&|;<>]*)*)/g;
const MODEL_FILE = /\.(?:sql|py|ya?ml|dbt)$/i;
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
const MAX_ENTITIES = 64;

/** What a call touches, in the names that records carry: paths as they stand, and the names of models in them. */
export function entitiesOfCall(call: CallInput): readonly string[] {
  const paths = [...pathsIn(call.arguments), ...effectPaths(call.effects)];
  const command = call.arguments['command'];
  const selected = typeof command === 'string' ? selectedNames(command) : [];
  const names = paths.flatMap((path) => [path, ...modelNames(path)]);
  const seen = new Map<string, string>();
  for (const name of [...names, ...selected])
    if (isTag(name) && !seen.has(foldName(name))) seen.set(foldName(name), name);
  return [...seen.values()].slice(0, MAX_ENTITIES);
}

function pathsIn(input: JsonObject): readonly string[] {
  return Object.entries(input).flatMap(([name, value]): readonly string[] => {
    if (PATH_FIELDS.has(name)) return textsIn(value);
    // Lists of edits, each with a file of its own.
    return Array.isArray(value) ? value.flatMap((item: Json) => (isObject(item) ? pathsIn(item) : [])) : [];
  });
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value.length <= 1024 ? [value] : [];
  return Array.isArray(value) ? (value as readonly Json[]).flatMap(textsIn) : [];
}

function effectPaths(effects: CallEffects | undefined): readonly string[] {
  return effects === undefined ? [] : [...effects.writes, ...effects.deletes, ...effects.reads];
}

/** `models/marts/orders.sql` speaks of the file `orders.sql` and of the model `orders`. */
function modelNames(path: string): readonly string[] {
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (base === '' || base === path) return MODEL_FILE.test(base) ? [base.replace(MODEL_FILE, '')] : [];
  return MODEL_FILE.test(base) ? [base, base.replace(MODEL_FILE, '')] : [base];
}

function selectedNames(command: string): readonly string[] {
  return [...command.matchAll(SELECTED)]
    .flatMap((match) => (match.groups?.['names'] ?? '').split(/[\s,]+/))
    .map((name) => name.replaceAll(/^[+@\d]+|[+@\d]*\+[\d]*$/g, ''))
    .filter((name) => NAME.test(name));
}

/** What a record can be tagged with. */
function isTag(name: string): boolean {
  return name !== '' && name.length <= 1024 && isWellFormed(name);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
