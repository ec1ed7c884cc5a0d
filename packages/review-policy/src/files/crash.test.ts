import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultyOps, Killed } from '../../test/fault-ops.ts';
import { emptyBase, entityProposal, snapshot } from '../../test/folders.ts';
import { open, POLICY, scenarios } from '../../test/scenarios.ts';
import { createReviewGate } from '../gate.ts';
import type { ReviewGate, ReviewKind } from '../gate-types.ts';
import { createFileOps } from './file-ops.ts';
import { createFolderReviewStore } from './folder-store.ts';

// Ids of events are random: what is compared is everything else.
function comparable(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(snapshot(root)).map(([path, text]) => [
      path,
      text.replace(/"(?:id|hash|prev_hash)":"[0-9a-f]+",?/g, ''),
    ]),
  );
}

describe.each(scenarios)('a crash while a folder is changed: $name', (scenario) => {
  it('leaves all or nothing at every file operation, torn or not, also when the restart dies too', async () => {
    const reference = emptyBase(POLICY);
    const counting = faultyOps(0, false);
    await scenario.prepare(open(reference.root, createFileOps(false)).gate);
    const before = comparable(reference.root);
    const working = open(reference.root, counting);
    const opened = counting.count();
    await scenario.act(working.gate);
    const after = comparable(reference.root);
    const total = counting.count();
    reference.remove();
    expect(total - opened).toBeGreaterThan(4);
    for (let at = opened + 1; at <= total; at += 1) {
      for (const torn of [false, true]) {
        const base = emptyBase(POLICY);
        await scenario.prepare(open(base.root, createFileOps(false)).gate);
        await expect(scenario.act(open(base.root, faultyOps(at, torn)).gate)).rejects.toBeInstanceOf(Killed);
        unlock(base.root);
        await dieAgain(base.root, at % 5);
        const restarted = open(base.root, createFileOps(false));
        await restarted.gate.recover();
        const found = comparable(base.root);
        const wanted = JSON.stringify(found) === JSON.stringify(before) ? before : after;
        expect(found, `operation ${at}, torn ${torn}`).toEqual(wanted);
        expect((await restarted.verify()).ok).toBe(true);
        base.remove();
      }
    }
  });
});

// The dead process cannot give its lock back; here it is this process, which still runs.
function unlock(root: string): void {
  try {
    unlinkSync(join(root, 'proposed', '.warrant', 'lock'));
  } catch {
    expect(readFileSync(join(root, 'config.yaml'), 'utf8')).not.toBe('');
  }
}

async function dieAgain(root: string, at: number): Promise<void> {
  if (at === 0) return;
  try {
    await open(root, faultyOps(at, true)).gate.recover();
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
  unlock(root);
}

describe('a crash while a kind applies itself', () => {
  it('is finished by the restart, once, and never shows an approval without effect', async () => {
    const applied: string[] = [];
    const kind = (dies: () => void): ReviewKind => ({
      kind: 'memory',
      check: async () => [],
      evidence: () => null,
      confidence: () => null,
      apply: async (proposal) => {
        dies();
        if (!applied.includes(proposal.id)) applied.push(proposal.id);
        dies();
        return { type: 'applied', reasons: [] };
      },
    });
    for (const death of [1, 2]) {
      const base = emptyBase();
      let calls = 0;
      const make = (dies: () => void): ReviewGate => {
        const store = createFolderReviewStore({ root: base.root, durable: false, kinds: ['memory'] });
        const gate = createReviewGate({ store });
        gate.register(kind(dies));
        return gate;
      };
      const gate = make(() => {
        calls += 1;
        if (calls === death) throw new Killed();
      });
      const id = `20261130-000000-0000000${death}`;
      const filed = await gate.file({ ...entityProposal(id, 'm'), kind: 'memory', payload: { text: 'x' } });
      const vote = { proposalId: id, proposal: filed.proposal, choice: 'approve' as const, by: 'alice' };
      await expect(gate.decide(vote)).rejects.toBeInstanceOf(Killed);
      const restarted = make(() => undefined);
      expect((await restarted.status(id))?.type).toBe('queued');
      expect((await restarted.recover()).finished).toEqual([id]);
      expect(await restarted.status(id)).toMatchObject({ type: 'approved', applied: 'yes', decidedBy: 'alice' });
      expect((await restarted.recover()).finished).toEqual([]);
      expect(applied.filter((item) => item === id)).toEqual([id]);
      base.remove();
    }
  });
});
