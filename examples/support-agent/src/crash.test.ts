import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Journal } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { type AgentState, recordOf, streamOf } from '@warrant/decide';
import { createMemoryJournal } from '@warrant/journal';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import { describe, expect, test } from 'vitest';
import { readMarks } from './file-outside.ts';
import { memoryOutside, NOTIFY, ORDERS, SEARCH } from './kit.ts';
import { withPoints } from './points.ts';
import { ACTOR, runSupport } from './run.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;
type End = Pick<AgentState, 'status' | 'result' | 'usage'>;

/** What an agent may come to when its host was killed: as if nothing had happened, or, where nobody can know, told so. */
function expectLegalEnd(end: End, calls: readonly string[], usage: AgentState['usage']): void {
  const [search, orders, notify] = [
    { found: 'Broken on arrival: refund.' },
    { id: 'A-17', state: 'delivered' },
    { told: true },
  ];
  expect(end.status).toBe('done');
  expect([
    { answer: 'Your refund for A-17 is on its way.', log: [search, orders, notify] },
    { answer: 'We are looking into it.', log: [search, orders, { failed: 'unknown' }] },
  ]).toContainEqual(end.result);
  // Only what may be repeated was done twice, and that at most once more.
  for (const tool of [ORDERS, NOTIFY])
    expect(calls.filter((one) => one.startsWith(tool)).length).toBeLessThanOrEqual(1);
  expect(calls.filter((one) => one.startsWith(SEARCH)).length).toBeLessThanOrEqual(2);
  expect(new Set(calls.map((one) => one.split(' ')[1])).size).toBeLessThanOrEqual(3);
  expect(end.usage).toEqual(usage);
}

/** Only what the journal holds counts as spent. */
async function journaledUsage(journal: Journal): Promise<AgentState['usage']> {
  let calls = 0;
  for await (const entry of journal.read(streamOf(ACTOR))) {
    const record = recordOf(entry);
    if (record.type === 'input' && (record.input.type === 'llm.result' || record.input.type === 'decision')) calls += 1;
  }
  return { calls, prompt_tokens: 100 * calls, completion_tokens: 10 * calls, total_tokens: 110 * calls, cost: 0 };
}

/** A host that is gone: from the point on nothing of it happens any more. */
async function runUntil(journal: Journal, outside: ReturnType<typeof memoryOutside>, killAt: number): Promise<number> {
  let points = 0;
  let die: () => void = () => undefined;
  const dead = new Promise<void>((done) => {
    die = done;
  });
  const never = new Promise<never>(() => undefined);
  const point = (): Promise<never> | undefined => {
    points += 1;
    if (points >= killAt) die();
    return points >= killAt ? never : undefined;
  };
  const outsidePoint = (): void => {
    if (point() !== undefined) throw new Error('gone');
  };
  const run = runSupport(
    withPoints(journal, async () => point()),
    { ...outside, point: outsidePoint },
  );
  await Promise.race([dead, run]);
  return points;
}

test('a host that dies at any point, before or after any append or call, is taken over without harm', {
  timeout: 120_000,
}, async () => {
  const total = await runUntil(createMemoryJournal(), memoryOutside(), Number.POSITIVE_INFINITY);
  expect(total).toBeGreaterThan(30);
  let unknown = 0;
  // Every third point in short runs, and all that lie around the last call.
  const isLooked = (at: number) => soak || at % 3 === 0 || (at >= 26 && at <= 31);
  for (let killAt = 1; killAt <= total; killAt += 1) {
    if (!isLooked(killAt)) continue;
    const [journal, outside] = [createMemoryJournal(), memoryOutside()];
    await runUntil(journal, outside, killAt);
    const end = await runSupport(journal, outside);
    expectLegalEnd(end, outside.calls, await journaledUsage(journal));
    if (JSON.stringify(end.result).includes('unknown')) unknown += 1;
  }
  // The call that can neither be asked about nor repeated: begun, done, and not written down.
  expect(unknown).toBeGreaterThan(0);
});

describe('a process that is killed with SIGKILL', () => {
  const child = resolve(import.meta.dirname, 'crash-child.ts');
  const run = (folder: string, killAt: number) => {
    const args = ['--import', 'tsx', '--conditions=@warrant/source', child, folder, String(killAt)];
    return spawnSync(process.execPath, args, {
      encoding: 'utf8',
      cwd: resolve(import.meta.dirname, '..'),
      env: { ...process.env, NODE_OPTIONS: '' },
    });
  };
  const points = !soak ? [28] : Array.from({ length: 60 }, (_, index) => index + 1);

  test.each(points)('at point %i is taken over by the next one', { timeout: 300_000 }, async (killAt) => {
    const folder = mkdtempSync(join(tmpdir(), 'support-agent-'));
    try {
      const first = run(folder, killAt);
      // Beyond the last point the first process comes to the end by itself.
      if (first.signal !== 'SIGKILL') expect(JSON.parse(first.stdout)).toMatchObject({ status: 'done' });
      const second = run(folder, 0);
      expect(second.stderr).toBe('');
      const file = openSqlite(join(folder, 'journal.db'));
      const calls = readMarks(join(folder, 'outside.jsonl')).flatMap((one) =>
        one.what === 'begun' ? [`${one.tool} ${one.key}`] : [],
      );
      expectLegalEnd(JSON.parse(second.stdout) as End, calls, await journaledUsage(createSqliteJournal(file)));
      file.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
