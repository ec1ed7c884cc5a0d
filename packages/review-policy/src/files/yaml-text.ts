import type { Json, JsonObject } from '@warrant/core';

// Words and shapes that YAML 1.1 readers (vouch's among them) take for something else than text.
const PLAIN =
  /^[A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u052f\u3040-\u30ff\u4e00-\u9fff][^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}:#"'{}[\],&*!|>%@`\\]*$/u;
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|none|nan|inf)$/i;
const SINGLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00a0\ufeff]*$/u;

/** The mapping as block YAML in the style that vouch writes, readable alike by YAML 1.1 and 1.2. */
export function toYaml(value: JsonObject): string {
  return writeMapping(value, '');
}

function writeMapping(value: JsonObject, indent: string): string {
  let out = '';
  for (const key of Object.keys(value)) out += `${indent}${scalar(key)}:${member(value[key] as Json, indent)}`;
  return out;
}

function member(value: Json, indent: string): string {
  if (Array.isArray(value)) return value.length === 0 ? ' []\n' : `\n${writeList(value as readonly Json[], indent)}`;
  if (typeof value === 'object' && value !== null) {
    const mapping = value as JsonObject;
    return Object.keys(mapping).length === 0 ? ' {}\n' : `\n${writeMapping(mapping, `${indent}  `)}`;
  }
  return ` ${scalar(value as string | number | boolean | null)}\n`;
}

function writeList(list: readonly Json[], indent: string): string {
  return list.map((entry) => `${indent}-${item(entry, indent)}`).join('');
}

function item(entry: Json, indent: string): string {
  if (Array.isArray(entry)) {
    if (entry.length === 0) return ' []\n';
    return ` ${writeList(entry as readonly Json[], `${indent}  `).slice(indent.length + 2)}`;
  }
  if (typeof entry === 'object' && entry !== null) {
    const mapping = entry as JsonObject;
    if (Object.keys(mapping).length === 0) return ' {}\n';
    return ` ${writeMapping(mapping, `${indent}  `).slice(indent.length + 2)}`;
  }
  return ` ${scalar(entry as string | number | boolean | null)}\n`;
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value === 'number') return number(value);
  if (typeof value !== 'string') return String(value);
  if (PLAIN.test(value) && !WORD.test(value) && !/[\s]$|\p{White_Space}{2}|\u00a0/u.test(value)) return value;
  if (value !== '' && SINGLE.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return quoted(value);
}

// YAML 1.1 wants a point in numbers with exponent.
function number(value: number): string {
  const text = Object.is(value, -0) ? '0' : String(value);
  return /^-?\d+e/.test(text) ? text.replace('e', '.0e') : text;
}

// JSON strings are double-quoted YAML, once what YAML readers refuse is escaped.
function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u00a0\u00ad\u2028\u2029\ufeff\ufffe\uffff]|\p{Cf}|\p{Cn}|\p{Co}/gu,
    (letter) => Array.from(letter, escapePoint).join(''),
  );
}

function escapePoint(letter: string): string {
  const point = letter.codePointAt(0) as number;
  return point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : `\\u${point.toString(16).padStart(4, '0')}`;
}
