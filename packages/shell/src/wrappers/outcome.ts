import type { ParsedArguments } from '../options.ts';
import type { Sink } from '../sink.ts';
import type { Redirect, Word } from '../syntax/tree.ts';
import type { UnknownCode } from '../types.ts';

/** A text that is parsed as a script of its own. */
export type ScriptText = {
  readonly text: string;
  /** The words it was made of; positions in it point at them. */
  readonly from: readonly Word[];
  /** True if it runs in the same shell, as with `eval`. */
  readonly sharesShell?: boolean;
  /** A character in it that stands for an unknown value. */
  readonly placeholder?: string;
};

type Common = {
  /** The base name for the list of wrappers. */
  readonly label: string;
  readonly remote?: boolean;
  /** The directory that the wrapper changes to: a word, or null where nobody knows. */
  readonly directory?: Word | null;
};

/** What stands behind a wrapper. */
export type Unwrapped =
  | { readonly type: 'ordinary' }
  /** There is a command, and nobody knows which. */
  | (Common & { readonly type: 'opaque'; readonly code: UnknownCode; readonly cause: Word })
  | (Common & {
      readonly type: 'words';
      readonly words: readonly Word[];
      /** False where the wrapper itself reads standard input. */
      readonly keepsInput?: boolean;
      /** The command is listed and judged no further. */
      readonly unclassified?: boolean;
    })
  | (Common & { readonly type: 'script'; readonly script: ScriptText });

/** One wrapper in front of a command. */
export type WrapperCall = {
  readonly name: string;
  /** The words with the wrapper's own name first. */
  readonly words: readonly Word[];
  readonly args: readonly Word[];
  /** What the command reads as standard input, where the line says it. */
  readonly input: Redirect | null;
  readonly sink: Sink;
};

export type Wrapper = (call: WrapperCall) => Unwrapped;

export const ORDINARY: Unwrapped = { type: 'ordinary' };

export function opaque(label: string, cause: Word, code: UnknownCode = 'wrapper-option', rest: object = {}): Unwrapped {
  return { type: 'opaque', label, code, cause, ...rest };
}

/** The word that makes the wrapper's own options unknown, if any. */
export function unclear(parsed: ParsedArguments): Word | null {
  return parsed.undetermined ?? parsed.flags[0] ?? null;
}

/** Words joined by blanks, as `eval` and `ssh` do; null with an unknown one. */
export function joinText(words: readonly Word[]): string | null {
  let text = '';
  for (const [index, word] of words.entries()) {
    if (word.text === null) return null;
    text += index === 0 ? word.text : ` ${word.text}`;
  }
  return text;
}

/** The words as a script, or an unknown command where one of them is unknown. */
export function joined(
  label: string,
  words: readonly Word[],
  rest: Omit<Common, 'label'> & { sharesShell?: boolean } = {},
): Unwrapped {
  const { sharesShell = false, ...common } = rest;
  const text = joinText(words);
  const dynamic = words.find((word) => word.text === null);
  if (text === null || dynamic !== undefined) {
    const [first] = words;
    const cause = dynamic ?? first;
    return cause === undefined ? ORDINARY : opaque(label, cause, 'dynamic-script', common);
  }
  return { type: 'script', label, script: { text, from: words, sharesShell }, ...common };
}

/** One word as a script. */
export function scriptOf(label: string, word: Word, rest: Omit<Common, 'label'> = {}): Unwrapped {
  if (word.text === null) return opaque(label, word, 'dynamic-script', rest);
  return { type: 'script', label, script: { text: word.text, from: [word] }, ...rest };
}
