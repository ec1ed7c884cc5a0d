import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyBase } from '../../test/folders.ts';
import { createReviewGate } from '../gate.ts';
import { createFolderReviewStore } from './folder-store.ts';
import { inspectKnowledgeBase } from './knowledge-base.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;
const worker = join(import.meta.dirname, '../../test/worker.ts');
const bases: { remove(): void }[] = [];

afterEach(() => {
  for (const base of bases.splice(0)) base.remove();
});

type Worker = {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly done: Promise<string>;
  text(): string;
};

function start(root: string, name: string, milliseconds: number): Worker {
  const flags = ['--import', 'tsx', '--conditions=@warrant/source', worker, root, name, String(milliseconds)];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      out += String(chunk);
      if (out.includes('ready')) resolve();
    });
    // A worker that cannot start says so at its end.
    child.on('close', () => resolve());
  });
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  const done = new Promise<string>((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(out);
      else reject(new Error(errors));
    });
  });
  return { child, ready, done, text: () => out };
}

function acknowledged(texts: readonly string[], what: string): readonly string[] {
  const lines = texts.flatMap((text) => text.slice(0, text.lastIndexOf('\n') + 1).split('\n'));
  return lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.slice(what.length + 1));
}

async function check(
  root: string,
  texts: readonly string[],
): Promise<{ readonly filed: number; readonly approved: number }> {
  const store = createFolderReviewStore({ root, durable: false });
  await createReviewGate({ store }).recover();
  const base = await inspectKnowledgeBase(store);
  expect(base.audit.chain).toEqual({ ok: true, line: null, reason: null });
  expect(base.skipped).toEqual([]);
  const created: string[] = [];
  const approved: string[] = [];
  for await (const event of store.events()) {
    if (event.event === 'proposal.entity.create') created.push(event.objectIds[0] ?? '');
    if (event.event === 'proposal.entity.approve') approved.push(event.objectIds[0] ?? '');
  }
  expect(new Set(created).size).toBe(created.length);
  expect(new Set(approved).size).toBe(approved.length);
  expect(created).toEqual(expect.arrayContaining([...acknowledged(texts, 'filed')]));
  const acks = acknowledged(texts, 'approved');
  expect(new Set(acks).size).toBe(acks.length);
  expect(approved).toEqual(expect.arrayContaining([...acks]));
  const records = base.proposals.map(({ record }) => record);
  expect(records.map((record) => record.proposal.id).sort()).toEqual([...created].sort());
  const landed = records.filter((record) => record.status === 'approved').map((record) => record.proposal.id);
  expect([...landed].sort()).toEqual([...approved].sort());
  expect([...base.entities].sort()).toEqual(landed.map((id) => `e-${id}`).sort());
  return { filed: created.length, approved: approved.length };
}

describe('several processes in one folder', () => {
  it('lose no event and decide every proposal once', async () => {
    const base = emptyBase();
    bases.push(base);
    const workers = Array.from({ length: 8 }, (_, index) => start(base.root, `w${index}`, soak ? 30_000 : 1500));
    const texts = await Promise.all(workers.map((item) => item.done));
    const { filed, approved } = await check(base.root, texts);
    expect(acknowledged(texts, 'filed')).toHaveLength(filed);
    expect(acknowledged(texts, 'approved')).toHaveLength(approved);
    expect(approved).toBeGreaterThan(0);
  }, 240_000);

  it('go on when some of them are killed at any moment', async () => {
    const base = emptyBase();
    bases.push(base);
    const texts: string[] = [];
    for (let round = 0; round < (soak ? 25 : 3); round += 1) {
      const workers = Array.from({ length: 3 }, (_, index) => start(base.root, `r${round}w${index}`, 60_000));
      await Promise.all(workers.map((item) => item.ready));
      for (const item of workers) {
        await sleep(100 + ((round * 37) % 90));
        item.child.kill('SIGKILL');
      }
      texts.push(...(await Promise.all(workers.map((item) => item.done))));
      await check(base.root, texts);
    }
  }, 900_000);
});
