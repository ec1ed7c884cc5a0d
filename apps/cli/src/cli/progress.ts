import type { Terminal } from './terminal.ts';

/** Tells how far a long walk has come, on one line of a terminal; silent elsewhere. */
export function createProgress(terminal: Pick<Terminal, 'interactive' | 'writeError'>): {
  readonly show: (text: string) => void;
  readonly done: () => void;
} {
  let shown = false;
  return {
    show: (text) => {
      if (!terminal.interactive) return;
      shown = true;
      terminal.writeError(`\r\u001b[K${text}`);
    },
    done: () => {
      if (shown) terminal.writeError('\r\u001b[K');
    },
  };
}
