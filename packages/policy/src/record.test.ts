import {
  canonicalJson,
  createMemoryInbox,
  createVirtualClock,
  createVirtualTimer,
  digest,
  type Entry,
  type Json,
} from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createArrayJournal, verdicts } from '../test/support/array-journal.ts';
import { answer, confirming, deleteTool, EDGE, memoryInbox, policySet, settled } from '../test/support/kit.ts';
import { createSmallGrounder, FILES } from '../test/support/small-grounder.ts';
import { guard } from './guard.ts';
import { createPolicyRegistry } from './registry.ts';
import { replayVerdicts } from './replay.ts';

const CONTENT = ['guard.facts', 'policy.set', 'graph.view', 'graph.primitive'];

/** What the journal grew by, without content that later calls share and without the text of results. */
function bytesOf(entries: readonly Entry[]): number {
  const own = entries
    .filter((entry) => !CONTENT.includes(entry.type))
    .map((entry) => {
      if (entry.type !== 'guard.observation') return entry;
      return { ...entry, data: { ...(entry.data as { [key: string]: Json }), result: null } };
    });
  return Buffer.byteLength(JSON.stringify(own));
}

describe('the record', () => {
  it('is written before the effect and holds what was decided on', async () => {
    const journal = createArrayJournal();
    const grounder = createSmallGrounder(FILES);
    let before: readonly string[] = [];
    const tool = guard(
      () => {
        before = journal.entries.map((entry) => entry.type);
      },
      {
        name: 't',
        concepts: ['delete', 'file'],
        grounder,
        journal,
        policies: policySet(() => ({ passed: true, message: 'ok' })),
      },
    );
    await tool();
    expect(before).toEqual(['policy.set', 'guard.facts', 'guard.verdict']);
    const [policies, facts, verdict] = journal.entries;
    expect([policies?.id, facts?.id]).toEqual([digest(policies?.data as Json), digest(facts?.data as Json)]);
    expect(verdict?.data).toMatchObject({
      extraction: 'static',
      facts: facts?.id,
      inputs: { policy: policies?.id },
      answers: 'p',
      decision: 'allow',
      outcome: 'run',
      startSeq: 1,
    });
    expect(journal.entries[3]).toMatchObject({
      type: 'guard.observation',
      causationId: verdict?.id,
      data: { endSeq: 2, outcome: 'ok' },
    });
  });

  it('sends shared content once', async () => {
    const { tool, journal } = deleteTool({ policies: policySet(() => ({ passed: true })) });
    await tool('a');
    const first = journal.entries.length;
    await tool('b');
    expect(journal.entries.slice(first).map((entry) => entry.type)).toEqual(['guard.verdict', 'guard.observation']);
  });

  it('holds the view by content when the graph is given', async () => {
    const grounder = createSmallGrounder(FILES);
    const { view } = await grounder.check({ concepts: ['delete', 'file'] });
    const { tool, journal } = deleteTool({ grounder, graph: grounder });
    await tool('a');
    await tool('b');
    const stored = journal.entries.filter((entry) => entry.type === 'graph.view');
    expect(stored.map((entry) => [entry.id, digest(entry.data)])).toEqual([[view, view]]);
    expect(journal.entries.filter((entry) => entry.type === 'graph.primitive')).toHaveLength(2);
    expect(verdicts(journal).map((entry) => (entry.data as { viewRecorded: boolean }).viewRecorded)).toEqual([
      true,
      true,
    ]);
  });

  it('does not work out again what the journal is said to hold', async () => {
    const grounder = createSmallGrounder(FILES);
    const policies = policySet(() => ({ passed: true }));
    const first = deleteTool({ grounder, graph: grounder, policies });
    await first.tool('a');
    const stored = new Set(first.journal.entries.map((entry) => entry.id));
    const looks: string[] = [];
    const again = deleteTool({
      grounder,
      graph: {
        view: (names) => {
          looks.push(names.join());
          return grounder.view(names);
        },
      },
      policies,
      isRecorded: async (content) => stored.has(content),
    });
    await again.tool('a');
    expect(looks).toEqual([]);
    expect(again.journal.entries.map((entry) => entry.type)).toEqual([
      'guard.facts',
      'guard.verdict',
      'guard.observation',
    ]);
    expect(verdicts(again.journal)[0]?.data).toMatchObject({ viewRecorded: true });
    const replayed = replayVerdicts([...first.journal.entries, ...again.journal.entries]);
    expect(replayed.map((one) => one.same)).toEqual([true, true]);
  });

  it.each([
    ['that fails', () => Promise.reject(new Error('gone'))],
    [
      'that throws',
      () => {
        throw new Error('gone');
      },
    ],
  ])('lets nothing happen on a word about the journal %s', async (_, isRecorded) => {
    const { tool, journal } = deleteTool({ isRecorded });
    expect(await tool('a')).toMatchObject({ type: 'failed', stage: 'before' });
    expect(verdicts(journal)).toEqual([]);
  });

  it('never files the content of one view under the digest of another', async () => {
    const other = createSmallGrounder({ ...FILES, concepts: { delete: 3, file: 2 } });
    const forged = {
      view: async (names: readonly string[]) => {
        const { view } = await createSmallGrounder(FILES).check({ concepts: ['delete', 'file'] });
        return { ...(await other.view(names)), digest: view };
      },
    };
    for (const graph of [other, forged]) {
      const { tool, journal } = deleteTool({ graph });
      await tool('a');
      expect(journal.entries.some((entry) => entry.type === 'graph.view')).toBe(false);
      expect(verdicts(journal)[0]?.data).toMatchObject({ viewRecorded: false });
    }
  });

  it('grows by at most 4 KiB a call, whatever the call holds', async () => {
    const wide = 'é"\\\u0001'.repeat(20_000);
    const registry = createPolicyRegistry();
    for (let index = 0; index < 300; index += 1) {
      const passed = index % 3 === 0;
      registry.register({ key: `policy-${index}-${'k'.repeat(60)}`, ...EDGE }, () => ({ passed, message: wide }));
    }
    const inbox = memoryInbox();
    const kit = deleteTool({
      policies: registry.freeze(),
      inbox,
      directory: `/${'d\\'.repeat(2000)}`,
      actor: 'ä'.repeat(64),
    });
    await deleteTool({ policies: registry.freeze(), journal: kit.journal, name: 'warm', enforce: false }).tool(
      'warm up',
    );
    const start = kit.journal.entries.length;
    const labels = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`/${index}`, { trust: 'web' as const, sources: [wide] }]),
    );
    const running = kit.tool.run([wide], { id: 'ö'.repeat(64), labels });
    await settled();
    await answer(inbox, 'allow');
    expect(await running).toMatchObject({ type: 'executed', recorded: 'all' });
    const bytes = bytesOf(kit.journal.entries.slice(start));
    expect(bytes).toBeLessThanOrEqual(4096);
    expect(bytes).toBeGreaterThan(1000);
  });

  it('keeps failures small too', async () => {
    const { tool, journal } = deleteTool({
      concepts: () => {
        throw new Error('x'.repeat(100_000));
      },
    });
    await tool('y'.repeat(100_000));
    expect(bytesOf(journal.entries)).toBeLessThanOrEqual(4096);
  });

  it('keeps long results by their ends, with digest and size of the whole', async () => {
    const { journal, grounder } = deleteTool();
    const value = 'ü'.repeat(20_000);
    const tool = guard(() => value, { name: 't', concepts: ['delete'], grounder, journal });
    expect(await tool()).toMatchObject({ type: 'executed', value });
    const data = journal.entries.at(-1)?.data as { result: { $head: string; $tail: string }; full: unknown };
    expect(data.full).toEqual({ digest: digest(value), bytes: Buffer.byteLength(canonicalJson(value)) });
    expect(Buffer.byteLength(data.result.$head)).toBeGreaterThan(8000);
    expect(Buffer.byteLength(canonicalJson(data.result))).toBeLessThanOrEqual(16_500);
    expect(data.result.$head + data.result.$tail).not.toContain('\uFFFD');
  });

  it.each<[string, unknown, Json]>([
    ['nothing', undefined, null],
    ['a bigint', 10n, '10'],
    ['a function', () => 1, { $unstorable: 'function' }],
    ['a lone surrogate', ['\uD800x'], ['\uFFFDx']],
    ['a lone surrogate in a key', { '\uD800': 1 }, { '\uFFFD': 1 }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    [
      'what throws when it is read',
      {
        get x(): number {
          throw new Error('trap');
        },
      },
      { $unstorable: 'object' },
    ],
    ['-0', -0, 0],
  ])('stores %s as a result', async (_what, value, stored) => {
    const { journal, grounder } = deleteTool();
    const tool = guard(() => value, { name: 't', concepts: ['delete'], grounder, journal });
    expect((await tool()).type).toBe('executed');
    expect(journal.entries.at(-1)?.data).toMatchObject({ result: stored });
  });

  it('survives a result that contains itself', async () => {
    const { journal, grounder } = deleteTool();
    const value: { self?: unknown } = {};
    value.self = value;
    const tool = guard(() => value, { name: 't', concepts: ['delete'], grounder, journal });
    expect(await tool()).toMatchObject({ type: 'executed', recorded: 'all' });
    expect(journal.entries.at(-1)?.data).toMatchObject({ result: { $unstorable: 'object' }, signals: ['not-json'] });
  });

  it('holds no secret: in arguments, results, errors, folders and questions', async () => {
    const secret = 'sk-live-0123456789';
    const replace = (value: Json): Json =>
      JSON.parse(JSON.stringify(value).replaceAll(secret, '[secret:0123456789abcdef]')) as Json;
    const inbox = createMemoryInbox({ clock: createVirtualClock(), timer: createVirtualTimer() });
    const journal = createArrayJournal();
    const grounder = createSmallGrounder(FILES);
    const seen: string[] = [];
    const secrets = { replace };
    const shared = {
      name: 't',
      parameters: ['key'],
      concepts: ['delete', 'file'],
      grounder,
      journal,
      secrets,
      inbox,
      actor: 'a',
      clock: createVirtualClock(),
    };
    const tool = guard(
      (key: string) => {
        seen.push(key);
        return `used ${key}`;
      },
      {
        ...shared,
        directory: `/home/${secret}`,
        policies: policySet(({ call }) => ({ passed: false, message: `${JSON.stringify(call.arguments['key'])}?` }), {
          requiresConfirmation: true,
        }),
      },
    );
    const running = tool(secret);
    await settled();
    const questions = JSON.stringify(await inbox.pending());
    await answer(inbox, 'allow');
    await running;
    await guard((key: string) => {
      throw new Error(`bad ${key}`);
    }, shared)(secret);
    await guard((key: string) => key, { ...shared, grounder: { check: () => Promise.reject(new Error(secret)) } })(
      secret,
    );
    const labels = { '/key': { trust: 'web' as const, sources: [secret] } };
    await guard((key: string) => key, { ...shared, concepts: (key: string) => [key] }).run([secret], { labels });
    expect(seen).toEqual([secret]);
    expect(questions + JSON.stringify(journal.entries)).not.toContain(secret);
    expect(JSON.stringify(journal.entries)).toContain('[secret:0123456789abcdef]');
  });

  it('tells equal calls apart by secret, also for approvals', async () => {
    const replace = (value: Json): Json => JSON.parse(JSON.stringify(value).replace(/sk-(\w)/g, '[secret:$1]')) as Json;
    const inbox = memoryInbox();
    const { tool } = deleteTool({ policies: confirming(), inbox, wait: false, secrets: { replace } });
    await tool('sk-a');
    await answer(inbox, 'allow');
    expect(await tool('sk-b')).toMatchObject({ type: 'pending' });
    expect(await tool('sk-a')).toMatchObject({ type: 'executed' });
  });

  it('withholds a result whose secrets cannot be replaced', async () => {
    const { journal, grounder } = deleteTool();
    const secrets = {
      replace: (value: Json): Json => {
        if (value === 'result') throw new Error('broken');
        return value;
      },
    };
    const tool = guard(() => 'result', { name: 't', concepts: ['delete'], grounder, journal, secrets });
    expect(await tool()).toMatchObject({ type: 'executed' });
    expect(JSON.stringify(journal.entries.at(-1))).not.toContain('"result":"result"');
  });
});

describe('replay', () => {
  it('gives the same verdict from the record alone', async () => {
    const answers = ['passed', 'fired', 'error', 'bad-answer'] as const;
    const placement = fc.record({
      answer: fc.constantFrom(...answers),
      requiresConfirmation: fc.boolean(),
      triggerCardinality: fc.constantFrom('single' as const, 'multiple' as const, null),
      target: fc.constantFrom('file', 'directory', 'FILE'),
      message: fc.oneof(fc.constantFrom(undefined, ''), fc.string({ maxLength: 30 })),
    });
    const call = fc.record({
      concepts: fc.subarray(['delete', 'file', 'directory', 'mystery'], { minLength: 0 }),
      cardinality: fc.constantFrom('single' as const, 'multiple' as const, null),
      dormant: fc.constantFrom('refuse' as const, 'report' as const, { report: ['p0', 'p2'] }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(placement, { maxLength: 5 }), call, async (placements, options) => {
        const registry = createPolicyRegistry();
        for (const [index, { answer: kind, message, ...declaration }] of placements.entries()) {
          registry.register({ key: `p${index}`, ...EDGE, ...declaration }, () => {
            if (kind === 'error') throw new Error('x');
            if (kind === 'bad-answer') return undefined as never;
            return { passed: kind === 'passed', ...(message === undefined ? {} : { message }) };
          });
        }
        const { tool, journal } = deleteTool({ policies: registry.freeze(), ...options });
        const outcome = await tool('a');
        const [replayed] = replayVerdicts(journal.entries);
        const verdict = 'verdict' in outcome ? outcome.verdict : undefined;
        expect(replayed).toMatchObject({ same: true, recorded: verdict?.decision });
        expect(replayed?.again?.findings).toEqual(verdict?.policies);
      }),
      { numRuns: process.env['WARRANT_SOAK'] === undefined ? 300 : 20_000, seed: 5 },
    );
  });

  it('says what is missing', async () => {
    const { tool, journal } = deleteTool({ policies: policySet(() => ({ passed: true })) });
    await tool('a');
    for (const missing of ['guard.facts', 'policy.set']) {
      const rest = journal.entries.filter((entry) => entry.type !== missing);
      expect(() => replayVerdicts(rest)).toThrow(expect.objectContaining({ code: 'POLICY_REPLAY_INCOMPLETE' }));
    }
  });

  it('does not believe a record that claims another decision', async () => {
    const { tool, journal } = deleteTool({ policies: policySet(() => ({ passed: false })) });
    await tool('a');
    const forged = journal.entries.map((entry) =>
      entry.type === 'guard.verdict'
        ? { ...entry, data: { ...(entry.data as { [key: string]: Json }), decision: 'allow' } }
        : entry,
    );
    expect(replayVerdicts(forged)).toMatchObject([{ same: false, again: { decision: 'block' } }]);
  });
});
