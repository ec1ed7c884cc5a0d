import { isDeepStrictEqual } from 'node:util';
import type { DemoResult } from './demo.ts';

/** What the demo must have done to the disk, and what it must have refused. */
export const expectedFiles = {
  'archive/reports/q1.txt': 'first quarter\n',
  'notes/new.md': 'fresh\n',
  'notes/todo.md': '- water the plants twice\n',
  'protected/ledger.csv': 'date,amount\n2026-01-01,100\n',
};

export const expectedOutcomes = [
  'list notes: executed',
  'create notes/new.md: executed',
  'delete notes/old.md: executed',
  'delete protected/ledger.csv: blocked',
  'delete the same by another spelling: blocked',
  'overwrite notes/todo.md: pending',
  'overwrite notes/todo.md, again: executed',
  'overwrite notes/new.md: pending',
  'archive reports: ungrounded',
  'archive reports, again: executed',
  'archive notes into a locked folder: failed',
  'archive notes, after the lesson: ungrounded',
];

/** What is not as it should be; empty when the demo showed what it says. */
export function faultsOf(result: DemoResult): readonly string[] {
  return [
    ...(isDeepStrictEqual(sorted(result.after), expectedFiles)
      ? []
      : [`the files are ${JSON.stringify(result.after)}`]),
    ...(isDeepStrictEqual(result.outcomes, expectedOutcomes)
      ? []
      : [`the outcomes are ${JSON.stringify(result.outcomes)}`]),
    ...(result.verified.entries > 0 && result.verified.checkpointSize === result.verified.entries
      ? []
      : ['the checkpoint does not cover the record']),
  ];
}

function sorted(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}
