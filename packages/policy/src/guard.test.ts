import { createSeededIds, createVirtualClock, type GuardOutcome } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createArrayJournal, verdicts } from '../test/support/array-journal.ts';
import { createSmallGrounder, FILES } from '../test/support/small-grounder.ts';
import { guard } from './guard.ts';
import { createPolicyRegistry } from './registry.ts';

const clock = createVirtualClock();

function policies(passed: boolean, requiresConfirmation = false) {
  const registry = createPolicyRegistry();
  registry.register({ key: 'protect', source: 'delete', target: 'file', sourceDepth: 3, requiresConfirmation }, () => ({
    passed,
    message: passed ? 'fine' : 'protected',
  }));
  return registry.freeze();
}

function setup(extra: object = {}) {
  const journal = createArrayJournal();
  const ran: string[] = [];
  const grounder = createSmallGrounder(FILES);
  const tool = guard(
    (path: string) => {
      ran.push(path);
      return `deleted ${path}`;
    },
    {
      name: 'delete_file',
      parameters: ['path'],
      concepts: ['delete', 'file'],
      grounder,
      journal,
      clock,
      ids: createSeededIds('t'),
      ...extra,
    },
  );
  return { tool, ran, journal, grounder };
}

describe('guard', () => {
  it('runs the tool when everything is known and nothing fires', async () => {
    const { tool, ran, journal } = setup({ policies: policies(true) });
    const outcome: GuardOutcome<string> = await tool('a.txt');
    expect(outcome).toMatchObject({ type: 'executed', value: 'deleted a.txt', recorded: 'all' });
    expect(ran).toEqual(['a.txt']);
    expect(journal.entries.map((entry) => entry.type)).toEqual([
      'policy.set',
      'guard.facts',
      'guard.verdict',
      'guard.observation',
    ]);
  });

  it('refuses with the gap when a concept is unknown', async () => {
    const { tool, ran, journal } = setup({ concepts: ['delete', 'mystery'] });
    const outcome = await tool('a.txt');
    expect(outcome).toMatchObject({
      type: 'ungrounded',
      recorded: 'decision',
      verdict: { decision: 'ungrounded', reasons: [{ code: 'grounding.existence' }] },
    });
    expect(ran).toEqual([]);
    expect(verdicts(journal)).toHaveLength(1);
  });

  it('refuses when a hard policy fires', async () => {
    const { tool, ran } = setup({ policies: policies(false) });
    expect(await tool('a.txt')).toMatchObject({
      type: 'blocked',
      verdict: { decision: 'block', reasons: [{ code: 'policy.fired' }] },
    });
    expect(ran).toEqual([]);
  });
});
