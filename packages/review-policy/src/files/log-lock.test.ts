import { existsSync, fstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyBase, entityProposal } from '../../test/folders.ts';
import { createReviewGate } from '../gate.ts';
import { createFolderReviewStore } from './folder-store.ts';
import { createLogLock, type Flock } from './log-lock.ts';

const taken = (): Error => Object.assign(new Error('taken'), { code: 'EAGAIN' });

it('every commit happens while the lock of vouch is held, and gives it back', async () => {
  const base = emptyBase();
  const log = join(base.root, 'audit.log.jsonl');
  const seen: string[] = [];
  let busy = 2;
  const flock: Flock = (descriptor, how) => {
    expect(fstatSync(descriptor).ino).toBe(statSync(`${log}.lock`).ino);
    if (how === 'exnb' && busy > 0) {
      busy -= 1;
      throw taken();
    }
    seen.push(`${how} ${existsSync(log) ? statSync(log).size > 0 : false}`);
  };
  const store = createFolderReviewStore({ root: base.root, durable: false, flock });
  const filed = await createReviewGate({ store }).file(entityProposal('20261130-000000-00000001', 'e'));
  expect(filed.type).toBe('queued');
  expect(seen).toEqual(['exnb false', 'un true']);
  base.remove();
});

it('gives up when vouch keeps its lock, changes nothing, and passes other failures on', async () => {
  const base = emptyBase();
  const gateWith = (error: Error) => {
    const flock: Flock = () => {
      throw error;
    };
    return createReviewGate({ store: createFolderReviewStore({ root: base.root, durable: false, waitMs: 20, flock }) });
  };
  const proposal = entityProposal('20261130-000000-00000001', 'e');
  await expect(gateWith(taken()).file(proposal)).rejects.toMatchObject({ code: 'REVIEW_LOCKED', retryable: true });
  const broken = Object.assign(new Error('broken'), { code: 'ENOLCK' });
  await expect(gateWith(broken).file(proposal)).rejects.toBe(broken);
  expect(existsSync(join(base.root, 'proposed/20261130-000000-00000001.yaml'))).toBe(false);
  expect(existsSync(join(base.root, 'proposed/.warrant/lock'))).toBe(false);
  base.remove();
});

it('gives the lock back when the work fails', async () => {
  const base = emptyBase();
  const calls: string[] = [];
  const lock = createLogLock(join(base.root, 'x.lock'), { flock: (_, how) => void calls.push(how) });
  await expect(lock.hold(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(calls).toEqual(['exnb', 'un']);
  base.remove();
});
