import type { Json, JsonObject, Observation } from '@warrant/core';

/** What a result tells of how it went, read the same from every kind of tool. */
export type FailureFacts = {
  /** The observation says so, or the result itself: an exit code, a status, a mark. */
  readonly failed: boolean;
  /** Names of system errors (`EACCES`). */
  readonly errno: readonly string[];
  readonly exitCode: number | null;
  readonly http: number | null;
  readonly sqlstate: readonly string[];
  /** Names of exceptions (`PermissionError`). */
  readonly exceptions: readonly string[];
  /** What was said, in small letters; at most 64 KiB. */
  readonly text: string;
};

const MAX_TEXT = 65_536;
const MAX_NODES = 2000;
const ERRNO = /\bE[A-Z][A-Z0-9]{1,14}\b/g;
const PYTHON = /^(?:[a-z_][\w.]*\.)?([A-Z]\w*(?:Error|Exception|Exit|Interrupt))(?::|$)/gm;
const SQLSTATE_TEXT = /\bSQLSTATE[\s[:(=]*([0-9A-Z]{5})\b/g;
const HTTP_TEXT = /\b(?:HTTP(?:\/[\d.]+)?|status(?:\s+code)?)[\s:]+([1-5]\d\d)\b/i;
const TEXT_KEYS = new Set(['stderr', 'message', 'error', 'output', 'text', 'detail', 'reason', '$head', '$tail']);

type Gathering = {
  readonly errno: Set<string>;
  readonly sqlstate: Set<string>;
  readonly exceptions: Set<string>;
  readonly texts: string[];
  exitCode: number | null;
  http: number | null;
  marked: boolean;
  nodes: number;
};

/** Reads errno, exit code, HTTP status, SQLSTATE, exceptions and messages out of a result. Pure. */
export function failureFacts({ outcome, result }: Pick<Observation, 'outcome' | 'result'>): FailureFacts {
  const gathering: Gathering = {
    errno: new Set(),
    sqlstate: new Set(),
    exceptions: new Set(),
    texts: [],
    exitCode: null,
    http: null,
    marked: false,
    nodes: 0,
  };
  gather(gathering, result, 0, outcome === 'error');
  const text = gathering.texts.join('\n').slice(0, MAX_TEXT);
  const failed =
    outcome === 'error' ||
    gathering.marked ||
    (gathering.exitCode ?? 0) !== 0 ||
    (gathering.http ?? 0) >= 400 ||
    gathering.sqlstate.size > 0;
  if (failed) readText(gathering, text);
  return {
    failed,
    errno: [...gathering.errno],
    exitCode: gathering.exitCode,
    http: gathering.http,
    sqlstate: [...gathering.sqlstate],
    exceptions: [...gathering.exceptions],
    text: text.toLowerCase(),
  };
}

function gather(gathering: Gathering, value: Json, depth: number, says: boolean): void {
  gathering.nodes += 1;
  if (gathering.nodes > MAX_NODES || depth > 8) return;
  if (typeof value === 'string') {
    if (says) gathering.texts.push(value.slice(0, MAX_TEXT));
  } else if (Array.isArray(value)) {
    for (const item of value) gather(gathering, item as Json, depth + 1, says);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value as JsonObject)) {
      readMember(gathering, key, member);
      gather(gathering, member, depth + 1, TEXT_KEYS.has(key) || (says && key === 'content'));
    }
  }
}

function readMember(gathering: Gathering, key: string, value: Json): void {
  if (typeof value === 'number' && Number.isInteger(value)) {
    if (/^(?:exit_?code|exit_?status|returncode)$/i.test(key)) gathering.exitCode ??= value;
    else if (key === 'code' && value >= 0 && value < 256) gathering.exitCode ??= value;
    else if (/^(?:status|status_?code|http_?status)$/i.test(key) && value >= 100 && value < 600)
      gathering.http ??= value;
  }
  if (typeof value === 'string' && value.length <= 64) {
    if (/^(?:code|errno)$/.test(key) && /^E[A-Z][A-Z0-9]{1,14}$/.test(value)) gathering.errno.add(value);
    else if (/^(?:sql_?state|code)$/i.test(key) && /^(?=.*\d)[0-9A-Z]{5}$/.test(value)) gathering.sqlstate.add(value);
    else if (/^(?:name|type|exception)$/.test(key) && /^[A-Z]\w*(?:Error|Exception)$/.test(value))
      gathering.exceptions.add(value);
  }
  if (/^is_?error$/i.test(key) && value === true) gathering.marked = true;
  if (key === 'ok' && value === false) gathering.marked = true;
}

function readText(gathering: Gathering, text: string): void {
  for (const [name] of text.matchAll(ERRNO)) gathering.errno.add(name);
  for (const [, name] of text.matchAll(PYTHON)) if (name !== undefined) gathering.exceptions.add(name);
  for (const [, state] of text.matchAll(SQLSTATE_TEXT)) if (state !== undefined) gathering.sqlstate.add(state);
  const status = HTTP_TEXT.exec(text)?.[1];
  if (status !== undefined) gathering.http ??= Number(status);
}
