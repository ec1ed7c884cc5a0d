import type { ToolFailure } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createArrayJournal } from '../test/support/array-journal.ts';
import { deleteTool, settled } from '../test/support/kit.ts';
import { createSmallGrounder, FILES } from '../test/support/small-grounder.ts';
import { guard } from './guard.ts';
import type { GuardReport } from './guard-options.ts';

function failing(options: { readonly onFailure: (failure: ToolFailure) => unknown; readonly journal?: boolean }) {
  const reports: GuardReport[] = [];
  const tool = guard(
    (path: string): string => {
      throw Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' });
    },
    {
      name: 'delete_file',
      parameters: ['path'],
      concepts: ['delete', 'file'],
      grounder: createSmallGrounder(FILES),
      onFailure: options.onFailure,
      onReport: (report) => reports.push(report),
      ...(options.journal === false ? {} : { journal: createArrayJournal() }),
    },
  );
  return { tool, reports };
}

describe('who learns from failures', () => {
  it.each([true, false])(
    'is shown what the tool threw, with the concepts of the call; journal: %s',
    async (journal) => {
      const seen: ToolFailure[] = [];
      const { tool } = failing({ journal, onFailure: (failure) => seen.push(failure) });
      expect((await tool('/x')).type).toBe('failed');
      expect(seen).toMatchObject([
        {
          call: { tool: 'delete_file', arguments: { path: '/x' } },
          observation: { outcome: 'error', result: { code: 'EACCES', message: 'EACCES: /x' } },
          concepts: ['delete', 'file'],
        },
      ]);
    },
  );

  it('is shown what the tool gave back, since some tools give failures back', async () => {
    const seen: ToolFailure[] = [];
    const { tool } = deleteTool({ onFailure: (failure) => seen.push(failure) });
    expect((await tool('a')).type).toBe('executed');
    expect(seen).toMatchObject([{ observation: { outcome: 'ok', result: 'deleted a' } }]);
  });

  it('is shown nothing of a call that did not run', async () => {
    const seen: ToolFailure[] = [];
    const { tool, ran } = deleteTool({ concepts: ['mystery'], onFailure: (failure) => seen.push(failure) });
    expect((await tool('a')).type).toBe('ungrounded');
    expect([ran, seen]).toEqual([[], []]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('trap');
      },
    ],
    ['rejects', () => Promise.reject(new Error('trap'))],
  ])('changes no outcome when it %s', async (_, onFailure) => {
    const { tool, reports } = failing({ onFailure });
    expect(await tool('/x')).toMatchObject({ type: 'failed', stage: 'during', error: { code: 'EACCES' } });
    expect(reports).toMatchObject([{ type: 'listener-failed', error: { message: 'trap' } }]);
  });

  it('is not waited for longer than allowed', async () => {
    const { tool, timer } = deleteTool({ onFailure: () => new Promise(() => undefined), timeoutMs: 50 });
    const running = tool('a');
    await settled();
    timer.advance(50);
    expect((await running).type).toBe('executed');
  });
});
