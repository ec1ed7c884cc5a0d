import type { ExternalEvent } from '@warrant/chart';
import { type Json, WarrantError } from '@warrant/core';

/** An event as it is typed: its name, then its data as JSON if it has any. @throws CLI_USAGE */
export function typedEvent(line: string): ExternalEvent {
  const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(line.trim()) ?? [];
  if (name === '') throw new WarrantError('CLI_USAGE', 'an event has a name');
  if (rest === '') return { name };
  try {
    return { name, data: JSON.parse(rest) as Json };
  } catch {
    throw new WarrantError('CLI_USAGE', `the data of '${name}' are no JSON`);
  }
}
