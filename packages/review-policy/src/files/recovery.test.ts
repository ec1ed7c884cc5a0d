import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVirtualClock } from '@warrant/core';
import { expect, it } from 'vitest';
import { Killed } from '../../test/fault-ops.ts';
import { emptyBase, entityProposal, snapshot } from '../../test/folders.ts';
import { createReviewGate } from '../gate.ts';
import { event } from '../record.ts';
import { appendedText, readTail } from './audit-log.ts';
import { createFileOps, type FileOps } from './file-ops.ts';
import { createFolderReviewStore, type FolderReviewStore } from './folder-store.ts';
import { isIntentOpen, LOG_FILE } from './intent.ts';

const ID = '20261130-000000-00000001';
const clock = createVirtualClock('2026-11-30T00:00:00.000Z');
const real = createFileOps(false);

/** Files an entity with operations that die on the way, and leaves the folder as the dead process did. */
async function dieFiling(root: string, files: FileOps): Promise<void> {
  const gate = createReviewGate({ store: createFolderReviewStore({ root, files, durable: false, clock }), clock });
  await expect(gate.file(entityProposal(ID, 'e'))).rejects.toBeInstanceOf(Killed);
  rmSync(join(root, 'proposed/.warrant/lock'), { force: true });
  expect(isIntentOpen(real, join(root, 'proposed/.warrant/intent'))).toBe(true);
}

/** A line as vouch appends it, which knows nothing of what is half done here. */
function vouchLine(root: string): string {
  const seen = event('source.add', 'vouch', { at: '2026-11-30T00:00:01.000Z', objectIds: ['s'], data: {} });
  return appendedText(readTail(real, join(root, LOG_FILE)), [seen], { kbId: null, newId: () => 'f'.repeat(32) });
}

async function restart(root: string): Promise<FolderReviewStore> {
  const store = createFolderReviewStore({ root, durable: false, clock });
  await createReviewGate({ store, clock }).recover();
  expect(isIntentOpen(real, join(root, 'proposed/.warrant/intent'))).toBe(false);
  return store;
}

async function eventNames(store: FolderReviewStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const item of store.events()) names.push(item.event);
  return names;
}

it('what was finished is not done again over what others changed since', async () => {
  const base = emptyBase();
  const overwrite = (path: string, bytes: string | Uint8Array): void => {
    if (bytes === '-') throw new Killed();
    real.overwrite(path, bytes);
  };
  await dieFiling(base.root, { ...real, overwrite });
  const file = join(base.root, 'proposed', `${ID}.yaml`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('name: e', 'name: corrected'));
  appendFileSync(join(base.root, LOG_FILE), vouchLine(base.root));
  const before = snapshot(base.root);
  const store = await restart(base.root);
  expect(snapshot(base.root)).toEqual(before);
  expect(before[`proposed/${ID}.yaml`]).toContain('name: corrected');
  expect(await eventNames(store)).toEqual(['proposal.entity.create', 'source.add']);
  expect(await store.verify()).toMatchObject({ ok: true });
  base.remove();
});

it('an event whose line was cut off behind its id is written again, also when somebody wrote on', async () => {
  const base = emptyBase();
  const append = (path: string, bytes: string | Uint8Array): void => {
    const text = String(bytes);
    real.append(path, text.slice(0, text.indexOf('"kb_id"')));
    throw new Killed();
  };
  await dieFiling(base.root, { ...real, append });
  const torn = readFileSync(join(base.root, LOG_FILE), 'utf8');
  expect(torn).toContain('"id":"');
  appendFileSync(join(base.root, LOG_FILE), '{"event":"source.add"}\n');
  const store = await restart(base.root);
  expect(await eventNames(store)).toEqual(['proposal.entity.create']);
  expect(await store.verify()).toMatchObject({ ok: false, line: 1, reason: 'malformed JSON' });
  base.remove();
});
