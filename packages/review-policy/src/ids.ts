import { hasControl, isLongerThan } from './text.ts';

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * True for an id that can name a file: letters of any script, digits, `_`, `-`, `.` and inner blanks or other signs,
 * but no separator, control or format character, no leading dot, no blank or dot at its end, at most 200 bytes.
 */
export function isSafeId(id: unknown): id is string {
  if (typeof id !== 'string' || id === '' || isLongerThan(id, 200) || Buffer.byteLength(id) > 200) return false;
  if (hasControl(id) || /[/\\:*?"<>|\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(id)) return false;
  if (id.startsWith('.') || id.startsWith('-') || id.startsWith('~')) return false;
  return !/^\p{White_Space}|[\p{White_Space}.]$/u.test(id) && !RESERVED.test(id);
}

/** A proposal's id as vouch makes it: `YYYYMMDD-HHMMSS-` and eight hex digits. */
export function proposalId(time: number, random: string): string {
  const iso = new Date(time).toISOString();
  const date = iso.slice(0, 10).replaceAll('-', '');
  const clock = iso.slice(11, 19).replaceAll(':', '');
  return `${date}-${clock}-${random.slice(0, 8)}`;
}
