import { digest } from '@warrant/core';
import { checkKey } from '../keys.ts';

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/** A name as one segment of a key: as it is where that is a canonical segment, else its digest. */
export function segmentOf(name: string): string {
  if (PLAIN.test(name) && checkKey(`memory/episodic/${name}`).type === 'canonical') return name;
  return `x-${digest(name).slice('sha256:'.length, 'sha256:'.length + 24)}`;
}

/** Where the records of one session lie. */
export function sessionPrefix(session: string): string {
  return `memory/episodic/${segmentOf(session)}/`;
}
