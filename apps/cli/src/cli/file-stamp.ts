import { type Clock, isoTime } from '@warrant/core';

/** The present moment as part of a file's name, on every system. */
export function fileStamp(clock: Clock): string {
  return isoTime(clock).replaceAll(/[:.]/g, '-');
}
