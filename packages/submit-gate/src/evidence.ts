import type { Json, JsonObject, Observation } from '@warrant/core';
import { exitCode, structured } from './answer-text.ts';
import type { ToolContract } from './config-types.ts';

const ERROR_START = new RegExp(
  '^(?:' +
    [
      '(?:fatal |internal |unexpected |runtime )?error\\b[^\\n]{0,40}?[:!]',
      'error\\b[^\\n]{0,80}$',
      'exception\\b',
      'traceback \\(most recent call last\\)',
      'fatal:',
      'fail(?:ed|ure)\\b[^\\n]{0,80}(?::|$)',
      'panic:',
      '(?:permission|access) denied',
      'connection (?:refused|reset|timed out)',
      'segmentation fault',
      'no such file or directory',
      'command not found',
      '(?:[a-z]+ )?timed out\\b',
      'timeout(?:error)?(?::|\\.?$| (?:after|exceeded|expired|waiting)\\b)',
      'unauthori[sz]ed\\b',
      'forbidden\\b',
      '[45]\\d\\d (?:bad request|unauthorized|forbidden|not found|conflict|internal server error|bad gateway|service unavailable|gateway timeout)',
      '(?:[\\w$]+\\.)*[A-Z]\\w*(?:Error|Exception)\\b',
      'exit code [1-9]',
      '<tool_use_error>',
    ].join('|') +
    ')',
  'i',
);
const ERROR_IN_LINE = /: (?:no such file or directory|permission denied|command not found|cannot access)\b/i;
/** How far into the first line the message of a command may begin, after its own name and that of a file. */
const LATEST = 120;
const COMPLAINT =
  /^(?:cat|head|tail|nl|sed|grep|rg|ls|bat|less|diff|wc|stat|find|git|cd|bash|sh|zsh)(?: \S+)?: [^\n]{1,200}: (?:line \d+: )?(?:no such file or directory|permission denied|is a directory|command not found)/i;
const EMPTY_TEXT =
  /^(?:\(?(?:no|0|zero) (?:such )?(?:results?|matches|match|files?|rows?|output|data|entries|entry|records?|items?|content|hits?)(?: (?:found|returned|matched))?(?: (?:for|in) [^\n]{1,120})?\)?|nothing(?: was)? found|<system-reminder>\s*warning: the file exists but [^\n]{1,150}|not found|none|null|nil|undefined|n\/a|\(?empty\)?|\[\]|\{\}|""|'')[.!]?$/i;
const LONGEST_JSON = 16_384;
const COUNT = /^(?:matches|size|length|rows_affected)$|(?:code|count|total)$/i;

/** Positive, empty or error: what an answer by itself shows. */
export function evidenceOf(observation: Observation, contract: ToolContract): 'positive' | 'empty' | 'error' {
  if (observation.outcome === 'error') return 'error';
  const result = observation.result;
  const value = structured(result, contract.result === 'json' ? Number.POSITIVE_INFINITY : LONGEST_JSON);
  if (contract.errors !== 'outcome') {
    if (isErrorValue(value, 0)) return 'error';
    if (typeof result === 'string' && isErrorText(result, contract.errors)) return 'error';
  }
  return isEmptyValue(value, 0) ? 'empty' : 'positive';
}

function isErrorText(text: string, starts: readonly string[] | undefined): boolean {
  const head = text.trimStart().slice(0, 400);
  if (starts !== undefined) return starts.some((start) => head.startsWith(start));
  if (ERROR_START.test(head)) return true;
  const at = head.search(ERROR_IN_LINE);
  return at >= 0 && at <= LATEST && !head.slice(0, at).includes('\n');
}

function isErrorValue(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > 2) return false;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.length > 0 && items.every((item) => isErrorValue(item, depth + 1));
  }
  return isErrorObject(value as JsonObject, depth);
}

function isErrorObject(object: JsonObject, depth: number): boolean {
  if (object['is_error'] === true || object['isError'] === true) return true;
  const error = object['error'] ?? object['errors'];
  if (error !== undefined && error !== 0 && !isEmptyValue(error, 0)) return true;
  if (object['success'] === false || object['ok'] === false || object['type'] === 'error') return true;
  const status = object['status'] ?? object['statusCode'] ?? object['status_code'];
  if (typeof status === 'number' && status >= 400) return true;
  if (status === 'error' || status === 'failed' || status === 'failure') return true;
  const code = exitCode(object);
  if (code !== null) return code !== 0;
  if (typeof object['stdout'] === 'string') return isFailedRun(object['stdout'], object['stderr']);
  const text = object['text'] ?? object['content'] ?? object['stderr'];
  if (typeof text === 'string') return isErrorText(text, undefined);
  return isErrorValue(text ?? null, depth + 1);
}

/** A run that does not state its exit code: what it printed begins with a complaint of a looking command, or is nothing but one. */
function isFailedRun(shown: string, errors: Json | undefined): boolean {
  if (COMPLAINT.test(shown)) return true;
  return shown === '' && typeof errors === 'string' && isErrorText(errors, undefined);
}

function isEmptyValue(value: Json, depth: number): boolean {
  if (value === null || value === false) return true;
  if (typeof value === 'string') {
    const text = value.trim();
    return text === '' || EMPTY_TEXT.test(text);
  }
  if (typeof value !== 'object' || depth > 3) return false;
  if (Array.isArray(value)) return (value as readonly Json[]).every((item) => isEmptyValue(item, depth + 1));
  return Object.entries(value).every(
    ([key, item]) =>
      isEmptyValue(item, depth + 1) || (item === 0 && COUNT.test(key)) || (key === 'type' && item === 'text'),
  );
}
