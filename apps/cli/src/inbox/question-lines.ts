import { canonicalJson, type Json, type Question } from '@warrant/core';
import { visibleLine } from '../cli/visible.ts';

/** Longest line of details, in characters. */
const LONGEST = 500;

/** What a person has to know before answering: the title, and the call or proposal it is about, a line each. */
export function questionLines({ title, details }: Question): readonly string[] {
  return [
    title,
    ...detailsOf(details).map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line)),
  ].map((line) => `  ${visibleLine(line)}`);
}

function detailsOf(details: Question['details']): readonly string[] {
  const { call, ...others } = details;
  const rest = Object.entries(others).map(([name, value]) => `${name}: ${short(value)}`);
  if (typeof call !== 'object' || call === null || Array.isArray(call)) {
    return call === undefined ? rest : [`call: ${short(call)}`, ...rest];
  }
  const { tool, arguments: given, actor, directory, ...more } = call as { readonly [key: string]: Json };
  const place = directory === undefined ? '' : ` in ${short(directory)}`;
  return [
    `call: ${short(tool)} ${short(given)}${place}${actor === undefined ? '' : ` by ${short(actor)}`}`,
    ...Object.entries(more).map(([name, value]) => `${name}: ${short(value)}`),
    ...rest,
  ];
}

function short(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : canonicalJson(value);
}
