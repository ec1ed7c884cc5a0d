import { createProgress } from '../cli/progress.ts';
import type { Terminal } from '../cli/terminal.ts';

/** Shows how far sealing has come while the work runs. */
export async function withSealProgress<T>(
  terminal: Pick<Terminal, 'interactive' | 'writeError'>,
  work: (onProgress: (progress: { readonly entries: number; readonly total: number }) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(terminal);
  try {
    return await work(({ entries, total }) => progress.show(`${entries} of ${total} entries sealed`));
  } finally {
    progress.done();
  }
}
