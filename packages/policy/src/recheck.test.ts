import type { Entry, Recorded } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createArrayJournal } from '../test/support/array-journal.ts';
import { confirming, deleteTool, EDGE, memoryInbox, policySet } from '../test/support/kit.ts';
import { guard } from './guard.ts';
import type { PolicySet } from './policy-set.ts';
import { createVerdictRecheck, type VerdictRecheckOptions } from './recheck.ts';
import { createPolicyRegistry } from './registry.ts';

/** Decisions that come out otherwise, or for other reasons, as the journal's recheck tells them. */
function recheck(entries: readonly Entry[], options: VerdictRecheckOptions = {}) {
  const decide = createVerdictRecheck(options);
  const made = entries.flatMap((entry) => decide(entry as Recorded) ?? []);
  const codes = (outcome: (typeof made)[number]['now']) => outcome.reasons.map((reason) => reason.code).sort();
  return made.map(({ recorded, now }) => ({
    was: recorded.type,
    is: now.type,
    sameReasons: JSON.stringify(codes(recorded)) === JSON.stringify(codes(now)),
  }));
}

const same = (decision: string) => ({ was: decision, is: decision, sameReasons: true });

async function recorded(): Promise<readonly Entry[]> {
  const { journal, grounder } = deleteTool();
  const extra = { journal, grounder };
  await deleteTool({ ...extra, name: 'allowed', policies: policySet(() => ({ passed: true })) }).tool('/tmp/a');
  await deleteTool({ ...extra, name: 'blocked', policies: policySet(() => ({ passed: false })) }).tool('/tmp/b');
  const asks = { policies: confirming(), inbox: memoryInbox(), wait: false };
  await deleteTool({ ...extra, ...asks, name: 'asked' }).tool('/tmp/c');
  await deleteTool({ ...extra, name: 'declined', policies: confirming(), onPolicy: () => false }).tool('/tmp/d');
  await deleteTool({ ...extra, name: 'unknown', concepts: ['mystery', 'riddle'] }).tool('/tmp/e');
  await deleteTool({ ...extra, name: 'nothing', concepts: [] }).tool('/tmp/f');
  return journal.entries;
}

describe('a recheck of verdicts', () => {
  it('finds every decision as it was, and passes over all else', async () => {
    const entries = await recorded();
    expect(recheck(entries)).toEqual(['allow', 'block', 'confirm', 'confirm', 'ungrounded', 'ungrounded'].map(same));
  });

  it('tells what other policies would have decided', async () => {
    const entries = await recorded();
    const strict: PolicySet = policySet(({ call }) => ({ passed: call.arguments['path'] !== '/tmp/a' }));
    expect(recheck(entries, { policies: strict }).map(({ was, is }) => `${was} ${is}`)).toEqual([
      'allow block',
      'block allow',
      'confirm allow',
      'confirm allow',
      'ungrounded ungrounded',
      'ungrounded ungrounded',
    ]);
    const actors = policySet(({ call, grounding }) => ({ passed: call.actor === 'agent-1' && grounding.grounded }));
    expect(recheck(entries, { policies: actors })[0]).toEqual(same('allow'));
  });

  it('hands conditions what the call would do', async () => {
    const entries = await recorded();
    const policies = policySet(({ effects }) => ({ passed: effects !== null }));
    expect(recheck(entries, { policies })[0]?.is).toBe('block');
    const effects = () => ({ reads: [], writes: [], deletes: [], commands: [] }) as never;
    expect(recheck(entries, { policies, effects })[0]?.is).toBe('allow');
  });

  it('fails on what the record does not hold', async () => {
    const incomplete = expect.objectContaining({ code: 'POLICY_REPLAY_INCOMPLETE' });
    const entries = await recorded();
    expect(() => recheck(entries.filter((entry) => entry.type !== 'guard.facts'))).toThrow(incomplete);
    const later = policySet(() => Promise.resolve({ passed: true }));
    expect(() => recheck(entries, { policies: later })).toThrow(incomplete);
    const long = deleteTool();
    await long.tool('x'.repeat(5000));
    const any = policySet(() => ({ passed: true }));
    expect(recheck(long.journal.entries)).toEqual([same('allow')]);
    expect(() => recheck(long.journal.entries, { policies: any })).toThrow(incomplete);
  });

  it('passes over checks that failed while a guard observed', async () => {
    const journal = createArrayJournal();
    const registry = createPolicyRegistry();
    registry.register({ key: 'p', ...EDGE }, () => ({ passed: true }));
    const grounder = { check: () => Promise.reject(new Error('down')) };
    await guard(() => 1, { name: 't', concepts: ['x'], grounder, journal, enforce: false })();
    expect(journal.entries.some((entry) => entry.type === 'guard.verdict')).toBe(true);
    expect(recheck(journal.entries)).toEqual([]);
  });
});
