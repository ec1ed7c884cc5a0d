import { styleText } from 'node:util';
import type { StartNotes } from '../bin/start-notes.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** What a command may know of the terminal and the process around it. */
export type Terminal = {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly interactive: boolean;
  readonly colour: boolean;
  readonly columns: number;
  /** Where the process ends with this one command. */
  readonly notes?: StartNotes | undefined;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Asks a question and gives the line that was typed, or null at the end of input. */
  readonly ask: (question: string) => Promise<string | null>;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
};

/** The text in a style where the terminal shows colours, else as it is. */
export function styled(terminal: Pick<Terminal, 'colour'>, style: Style, text: string): string {
  return terminal.colour ? styleText(style, text) : text;
}
