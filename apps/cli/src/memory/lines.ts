import type { MemoryConflict, MemoryRecord, Reason } from '@warrant/core';
import type { WriteResult } from '@warrant/memory';
import { type CommandCall, paint, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';

const WIDE = 160;

/** A value in one line, shortened. */
function valueLine(record: MemoryRecord): string {
  const text = typeof record.value === 'string' ? record.value : JSON.stringify(record.value);
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= WIDE ? line : `${line.slice(0, WIDE - 1)}…`;
}

/** `key  agent-inferred by a  (web)` and the value under it. */
export function recordLines(call: CommandCall, record: MemoryRecord): string {
  const trust =
    record.label.trust === 'web' || record.label.trust === 'tool'
      ? paint(call, 'yellow', `  from ${record.label.trust}`)
      : '';
  const state = record.archived ? '  archived' : record.closedAt !== null ? '  superseded' : '';
  return `${paint(call, 'bold', record.key)}  ${record.origin} by ${record.agent}${trust}${state}\n  ${valueLine(record)}`;
}

export function conflictLine(call: CommandCall, conflict: MemoryConflict): string {
  const { type, state, records, kept } = conflict;
  const result = state === 'open' ? paint(call, 'yellow', 'open') : `kept ${kept ?? 'both'}`;
  return `${conflict.id}  ${type}  ${records[0]} against ${records[1]}: ${result}`;
}

export function reasonLines(reasons: readonly Reason[]): string {
  return reasons.map(({ code, message, data }) => `  ${code}: ${message} ${JSON.stringify(data)}`).join('\n');
}

/** Prints what became of a write. */
export function printWrite(call: CommandCall, result: WriteResult): ExitCode {
  print(call, result, writeText(result));
  return result.type === 'refused' ? exitCodes.no : result.type === 'proposed' ? exitCodes.pending : exitCodes.ok;
}

function writeText(result: WriteResult): string {
  switch (result.type) {
    case 'stored':
      return `stored ${result.record.key} as ${result.record.id}${result.conflicts.length === 0 ? '' : `, ${result.conflicts.length} conflicts`}`;
    case 'confirmed':
      return `it was there already: ${result.record.id}`;
    case 'proposed':
      return `it waits for a person: ${result.proposalId}`;
    case 'refused':
      return `refused\n${reasonLines(result.reasons)}`;
  }
}
