import type { Word as ParserWord, Redirection } from 'unbash';
import { endOf, posOf, type ReadContext } from './context.ts';
import type { Redirect, Script, Word } from './tree.ts';
import { innerOf, innerScripts, literal, readWord, wordsOf } from './words.ts';

/** Reads one redirection; `next` are the words after it, which may belong to its target. */
export function readRedirect(
  context: ReadContext,
  node: Redirection,
  next: readonly ParserWord[] = [],
  end = node.end,
): Redirect {
  const span = { pos: posOf(context, node.pos), end: endOf(context, node.end) };
  const descriptor = node.descriptor === undefined ? defaultDescriptor(node) : fixed(node.descriptor);
  if (node.type === 'HereDoc') return hereDocument(context, node, descriptor, span);
  const glued = next[0]?.pos === end && next[0]?.text.startsWith('<(') ? next : [];
  const target = targetOf(context, node.target, glued);
  const inner = innerOf(target);
  const [one] = target;
  const word = target.length === 1 && one !== undefined ? one : null;
  if (node.type === 'HereString') {
    const body = word?.text ?? null;
    const bodyPos = word?.pos ?? span.pos;
    return { kind: 'here', descriptor, target: null, body, bodyPos, pos: span.pos, end: span.end, inner };
  }
  const known = word ?? { ...literal('', span.pos, span.end, 'no'), text: null };
  const kind = kindOf(node.operator, known);
  return { kind, descriptor, target: known, body: null, bodyPos: 0, pos: span.pos, end: span.end, inner };
}

function targetOf(context: ReadContext, target: ParserWord | undefined, glued: readonly ParserWord[]): readonly Word[] {
  if (target === undefined) return [];
  return glued.length === 0 ? readWord(context, target) : wordsOf(context, [target, ...glued]);
}

function fixed(descriptor: { readonly type: string; readonly value?: number }): number | null {
  return descriptor.value ?? null;
}

function defaultDescriptor(node: Redirection): number {
  return node.operator.startsWith('<') ? 0 : 1;
}

function kindOf(operator: string, target: { readonly text: string | null }): Redirect['kind'] {
  if (operator === '<') return 'read';
  if (operator === '<>') return 'both';
  if (operator === '<&') return 'duplicate';
  if (operator === '>&' && target.text !== null && /^(?:\d+-?|-)$/.test(target.text)) return 'duplicate';
  return 'write';
}

type HereDoc = Extract<Redirection, { type: 'HereDoc' }>;

function hereDocument(
  context: ReadContext,
  node: HereDoc,
  descriptor: number | null,
  span: { readonly pos: number; readonly end: number },
): Redirect {
  const { body, delimiter } = node;
  if (delimiter?.quoted === true && /\n/.test(delimiter.text)) {
    context.problems.push({ message: 'unterminated here-document delimiter', pos: span.pos });
  }
  const inner: Script[] = [];
  let dynamic = false;
  for (const part of body.parts ?? []) {
    if (part.type === 'Literal') continue;
    dynamic = true;
    inner.push(...bodyScripts(context, part));
  }
  const text = delimiter?.quoted === true ? body.text : unescapeBody(body.text);
  const stripped = node.operator === '<<-' ? text.replaceAll(/^\t+/gm, '') : text;
  const bodyPos = posOf(context, body.pos);
  return { kind: 'here', descriptor, target: null, body: dynamic ? null : stripped, bodyPos, ...span, inner };
}

function bodyScripts(context: ReadContext, part: NonNullable<HereDoc['body']['parts']>[number]): readonly Script[] {
  const word = { type: 'Word', text: '$', value: '', pos: part.pos, end: part.end, parts: [part] } as const;
  return innerScripts(context, word);
}

function unescapeBody(text: string): string {
  return text.replaceAll(/\\([$`\\]|\n)/g, (_, char: string) => (char === '\n' ? '' : char));
}
