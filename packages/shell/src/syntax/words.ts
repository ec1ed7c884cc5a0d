import type { ParameterExpansionPart, Word as ParserWord, WordPart } from 'unbash';
import { type Char, expandBraces } from './braces.ts';
import { endOf, mayReadParts, posOf, type ReadContext } from './context.ts';
import { visitPart } from './expansions.ts';
import type { Script, Word } from './tree.ts';

const SPECIAL = /[\\'"$`*?[{(<>~]/;
const NONE: readonly Script[] = [];
/** One pair of quotes around text without expansions, or around text and plain variables; or one bare variable. */
const SIMPLE =
  /^(?:'([^']*)'|"([^"$`\\]*)(\$(?:\w|\{[A-Za-z_]\w*\})[^"$`\\]*(?:\$(?:\w|\{[A-Za-z_]\w*\})[^"$`\\]*)*)?"|\$(?:[A-Za-z_]\w*|\d))$/;

const SINGLE = 39;
const DOUBLE = 34;
const DOLLAR = 36;

type Draft = {
  readonly context: ReadContext;
  text: string;
  known: boolean;
  lead: string;
  splits: boolean;
  process: boolean;
  braces: boolean;
  quotes: boolean;
  readonly inner: Script[];
  /** Filled only where braces may have to be expanded. */
  readonly chars: Char[];
  readonly collects: boolean;
};

/** True for a text that stands for itself. */
export function isPlain(context: ReadContext, text: string): boolean {
  return !SPECIAL.test(text) && (context.placeholder === null || !text.includes(context.placeholder));
}

/** The words that one word of the parser stands for: several after brace expansion. */
export function readWord(context: ReadContext, word: ParserWord): readonly Word[] {
  const { text } = word;
  if (isPlain(context, text)) {
    return [literal(text, posOf(context, word.pos), endOf(context, word.end), 'no')];
  }
  const quoted = readQuoted(context, word);
  return quoted === null ? readParts(context, word) : [quoted];
}

/** The words of a word that is neither plain nor quoted in one of the usual ways. */
export function readParts(context: ReadContext, word: ParserWord): readonly Word[] {
  return finish(draftOf(context, [word]), word.pos, word.end, word.text.startsWith('~'));
}

/** The usual quoted words, read without asking the parser for their parts. */
export function readQuoted(context: ReadContext, word: ParserWord): Word | null {
  if (context.placeholder !== null) return null;
  const { text } = word;
  const first = text.charCodeAt(0);
  if (first !== DOUBLE && first !== SINGLE && first !== DOLLAR) return null;
  const match = SIMPLE.exec(text);
  if (match === null) return null;
  const [pos, end] = [posOf(context, word.pos), endOf(context, word.end)];
  if (first === DOLLAR) return unknownWord(pos, end, '', false);
  const lead = match[1] ?? match[2] ?? '';
  if (match[3] === undefined) return literal(lead, pos, end, 'no');
  const operandOnly = lead !== '' && !lead.startsWith('-');
  return { text: null, pos, end, lead, operandOnly, splits: false, tilde: 'no', inner: NONE };
}

/** Neighbours without a blank between them are one word that the parser split at a process substitution. */
export function joinWords(context: ReadContext, words: readonly ParserWord[]): readonly Word[] {
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return [];
  return finish(draftOf(context, words), first.pos, last.end, first.text.startsWith('~'));
}

export function literal(text: string, pos: number, end: number, tilde: Word['tilde']): Word {
  return { text, pos, end, lead: text, operandOnly: false, splits: false, tilde, inner: NONE };
}

/** A word whose text nobody knows. */
export function unknownWord(pos: number, end: number, lead: string, operandOnly: boolean): Word {
  return { text: null, pos, end, lead, operandOnly, splits: !operandOnly, tilde: 'no', inner: NONE };
}

/** The substitutions of a word that is no operand, such as a pattern; its hazards and places are noted too. */
export function innerScripts(context: ReadContext, word: ParserWord): readonly Script[] {
  if (!SPECIAL.test(word.text) || SIMPLE.test(word.text)) return NONE;
  return draftOf(context, [word]).inner;
}

function draftOf(context: ReadContext, words: readonly ParserWord[]): Draft {
  const draft: Draft = {
    context,
    text: '',
    known: true,
    lead: '',
    splits: false,
    process: false,
    braces: false,
    quotes: false,
    inner: [],
    chars: [],
    collects: words.some(({ text }) => text.includes('{')),
  };
  for (const word of words) {
    if (!mayReadParts(context, word)) {
      draft.known = false;
      draft.splits = true;
      continue;
    }
    const { parts } = word;
    if (parts === undefined) addLiteral(draft, word.value, word.text, false);
    else for (const part of parts) addPart(draft, part, false);
  }
  return draft;
}

function finish(draft: Draft, pos: number, end: number, tilded: boolean): readonly Word[] {
  const { context } = draft;
  const from = posOf(context, pos);
  const to = endOf(context, end);
  if (!draft.known) {
    const first = draft.lead.charAt(0);
    const starts = draft.process && draft.lead === '' ? true : first !== '' && first !== '-';
    const operandOnly = starts && !draft.splits;
    const base = unknownWord(from, to, draft.lead, operandOnly);
    return [{ ...base, splits: draft.splits, inner: draft.inner, tilde: tilded ? 'yes' : 'no' }];
  }
  if (draft.braces) return expanded(draft, from, to);
  const word = literal(draft.text, from, to, tilded ? 'yes' : 'no');
  return [draft.inner.length > 0 ? { ...word, inner: draft.inner } : word];
}

function expanded(draft: Draft, pos: number, end: number): readonly Word[] {
  const { budget } = draft.context;
  const results = budget.braces > 0 ? expandBraces(draft.chars) : null;
  if (results === null || results.length > budget.braces) {
    const brace = draft.chars.findIndex(({ char, quoted }) => char === '{' && !quoted);
    const lead = draft.chars
      .slice(0, Math.max(0, brace))
      .map(({ char }) => char)
      .join('');
    const starts = lead !== '' && !lead.startsWith('-');
    return [{ ...unknownWord(pos, end, lead, starts), splits: true, inner: draft.inner }];
  }
  if (results.length > 1) budget.braces -= results.length;
  return results
    .filter((text) => text !== '' || draft.quotes)
    .map((text, index) => {
      const word = literal(text, pos, end, text.startsWith('~') ? 'maybe' : 'no');
      return index === 0 && draft.inner.length > 0 ? { ...word, inner: draft.inner } : word;
    });
}

function addPart(draft: Draft, part: WordPart, quoted: boolean): void {
  switch (part.type) {
    case 'Literal':
      addLiteral(draft, part.value, part.text, quoted);
      return;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      draft.quotes = true;
      addLiteral(draft, part.value, null, true);
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      draft.quotes = true;
      for (const child of part.parts) addPart(draft, child, true);
      return;
    case 'Glob':
    case 'ExtendedGlob':
      addUnknown(draft, true);
      for (const child of part.parts ?? []) visitPart(draft, child);
      return;
    case 'BraceExpansion':
      addBraces(draft, part.text, part.parts);
      return;
    default:
      addExpansion(draft, part, quoted);
  }
}

function addExpansion(draft: Draft, part: WordPart, quoted: boolean): void {
  if (part.type === 'ProcessSubstitution') {
    draft.process ||= draft.known && draft.lead === '';
    addUnknown(draft, false);
  } else if (part.type === 'SimpleExpansion') {
    addUnknown(draft, !quoted || part.text === '$@');
  } else if (part.type === 'ParameterExpansion') {
    addUnknown(draft, !quoted || isSeveral(part));
  } else {
    addUnknown(draft, !quoted);
  }
  visitPart(draft, part);
}

/** `"$@"`, `"${a[@]}"` and their relatives make several words even in quotes. */
function isSeveral(part: ParameterExpansionPart): boolean {
  if (part.prefix === '#') return false;
  if (part.parameter === '@' || part.index?.text === '@' || part.prefix === '!') return true;
  return part.operation !== undefined && part.text.includes('@');
}

function addLiteral(draft: Draft, value: string, raw: string | null, quoted: boolean): void {
  const { placeholder } = draft.context;
  if (placeholder !== null && value.includes(placeholder)) {
    addKnown(draft, value.slice(0, value.indexOf(placeholder)), true, null);
    draft.known = false;
    return;
  }
  addKnown(draft, value, quoted, raw);
}

function addKnown(draft: Draft, value: string, quoted: boolean, raw: string | null): void {
  if (!draft.known) return;
  draft.text += value;
  draft.lead += value;
  if (!draft.collects) return;
  if (raw !== null && raw !== value && !quoted) addEscaped(draft, raw);
  else for (const char of value) draft.chars.push({ char, quoted });
}

function addEscaped(draft: Draft, raw: string): void {
  for (let at = 0; at < raw.length; at += 1) {
    const escaped = raw.charAt(at) === '\\' && at + 1 < raw.length;
    if (escaped) at += 1;
    const char = raw.charAt(at);
    if (!(escaped && char === '\n')) draft.chars.push({ char, quoted: escaped });
  }
}

function addUnknown(draft: Draft, splits: boolean): void {
  draft.known = false;
  if (splits) draft.splits = true;
}

function addBraces(draft: Draft, text: string, parts: readonly WordPart[] | undefined): void {
  draft.braces = true;
  draft.chars.push({ char: '{', quoted: false });
  if (parts === undefined) {
    addEscaped(draft, text.slice(1, -1));
  } else {
    const wasKnown = draft.known;
    const { lead } = draft;
    for (const part of parts) addPart(draft, part, false);
    if (wasKnown && !draft.known) {
      draft.lead = lead;
      draft.splits = true;
    }
  }
  draft.chars.push({ char: '}', quoted: false });
}

/** The words that a run of neighbours stands for. */
export function wordsOf(context: ReadContext, run: readonly ParserWord[]): readonly Word[] {
  return run.length === 1 && run[0] !== undefined ? readWord(context, run[0]) : joinWords(context, run);
}

/** The scripts of all these words, in their order. */
export function innerOf(words: readonly Word[]): readonly Script[] {
  const [first] = words;
  if (first === undefined) return NONE;
  return words.length === 1 ? first.inner : words.flatMap((word) => word.inner);
}
