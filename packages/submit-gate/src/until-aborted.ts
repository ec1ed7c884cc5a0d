/** How long, in milliseconds, whatever runs may take to end by itself once the turn is aborted. */
const GRACE = 100;

/** Work that the end of a turn left behind; what becomes of it nobody knows. */
export class Abandoned extends Error {}

/** The answer of the work; once aborted, that of work which ends soon, else {@link Abandoned}. */
export function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abandon = (): void => {
      timer = setTimeout(() => reject(new Abandoned('the turn was aborted')), GRACE);
    };
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abandon);
    };
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
    Promise.resolve(work).then(resolve, reject).finally(done);
  });
}
