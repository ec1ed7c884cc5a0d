import { type Grounder, type Journal, WarrantError } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createArrayJournal, verdicts } from '../test/support/array-journal.ts';
import { confirming, deleteTool, memoryInbox, policySet, settled } from '../test/support/kit.ts';
import { createSmallGrounder, FILES } from '../test/support/small-grounder.ts';
import { parsePolicies } from './files/parse-policies.ts';
import { guard } from './guard.ts';
import { guardAll } from './guard-all.ts';
import type { PolicyCallback } from './placement.ts';

const never = new Promise<never>(() => undefined);

describe('P4: an evaluator that errs or times out permits nothing', () => {
  it.each<[string, PolicyCallback, string, number]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      'policy.condition-error',
      0,
    ],
    [
      'rejects later',
      async () => {
        await Promise.resolve();
        throw new Error('broken');
      },
      'policy.condition-error',
      0,
    ],
    ['never settles', () => never, 'policy.condition-timeout', 50],
    ['returns nothing', () => undefined as never, 'policy.condition-error', 0],
    ['returns a bare true', () => true as never, 'policy.condition-error', 0],
    ['returns a truthy passed', () => ({ passed: 1 }) as never, 'policy.condition-error', 0],
    ['resolves to nothing', async () => undefined as never, 'policy.condition-error', 0],
    [
      'throws nothing at all',
      () => {
        throw undefined;
      },
      'policy.condition-error',
      0,
    ],
    [
      'returns what throws when it is read',
      () => ({
        get passed(): boolean {
          throw new Error('trap');
        },
      }),
      'policy.condition-error',
      0,
    ],
  ])('a callback that %s', async (_what, callback, code, wait) => {
    const { tool, ran, journal, timer } = deleteTool({ policies: policySet(callback), timeoutMs: 50 });
    const running = tool('a');
    await settled();
    timer.advance(wait);
    const outcome = await running;
    expect(outcome).toMatchObject({ type: 'blocked', recorded: 'decision' });
    expect(outcome.type === 'blocked' && outcome.verdict.reasons).toMatchObject([
      { code, data: { policy: 'protect' }, message: expect.stringContaining("policy 'protect' fires") },
    ]);
    expect(ran).toEqual([]);
    expect(verdicts(journal).map((entry) => entry.data)).toMatchObject([{ reasons: [[code, 'protect']] }]);
  });

  it('a condition over an argument that is not there', async () => {
    const parsed = parsePolicies({
      file: 'p.yaml',
      text: [
        'format: warrant.policy/1',
        'policies:',
        '  - key: large',
        '    source: delete',
        '    target: file',
        '    sourceDepth: 3',
        '    blockWhen: call.arguments.amount > 100',
      ].join('\n'),
    });
    if (parsed.type !== 'ok') throw new Error('does not parse');
    const { tool, ran } = deleteTool({ policies: parsed.policies });
    expect(await tool('a')).toMatchObject({
      type: 'blocked',
      verdict: {
        reasons: [
          { code: 'policy.condition-error', data: { policy: 'large', condition: 'call.arguments.amount > 100' } },
        ],
      },
    });
    expect(ran).toEqual([]);
  });

  it('a store that is closed before the check', async () => {
    const grounder: Grounder = { check: () => Promise.reject(new WarrantError('GRAPH_CLOSED', 'closed')) };
    const { tool, ran, journal } = deleteTool({ grounder });
    expect(await tool('a')).toMatchObject({
      type: 'failed',
      stage: 'before',
      error: { code: 'GRAPH_CLOSED' },
      recorded: 'decision',
    });
    expect(ran).toEqual([]);
    expect(journal.entries).toMatchObject([
      { type: 'guard.failed', data: { stage: 'before', error: { code: 'GRAPH_CLOSED' } } },
    ]);
  });

  it('a store that never answers', async () => {
    const { tool, ran, timer } = deleteTool({ grounder: { check: () => never }, storeTimeoutMs: 100 });
    const running = tool('a');
    await settled();
    timer.advance(100);
    expect(await running).toMatchObject({ type: 'failed', stage: 'before', error: { code: 'POLICY_TIMEOUT' } });
    expect(ran).toEqual([]);
  });

  it('a journal that fails, throws at once, conflicts or never answers', async () => {
    const broken: Journal['append'][] = [
      () => Promise.reject(new Error('disk full')),
      () => {
        throw new Error('closed');
      },
      async () => ({ type: 'conflict', actual: 3 }),
      () => never,
    ];
    for (const append of broken) {
      const { tool, ran, timer } = deleteTool({ journal: { append }, storeTimeoutMs: 10 });
      const running = tool('a');
      await settled();
      timer.advance(10);
      expect(await running).toMatchObject({ type: 'failed', stage: 'before', recorded: 'no' });
      expect(ran).toEqual([]);
    }
  });

  it('concepts, cardinality or a classifier that throw, and answers that are none', async () => {
    const broken = [
      {
        concepts: () => {
          throw new Error('no');
        },
      },
      { concepts: () => Promise.reject(new Error('no')) },
      { concepts: () => [1] as never },
      { concepts: () => undefined as never },
      {
        cardinality: () => {
          throw new Error('no');
        },
      },
      { cardinality: () => Promise.reject(new Error('no')) },
      {
        effects: () => {
          throw new Error('no');
        },
        policies: policySet(() => ({ passed: true })),
      },
      {
        policies: () => {
          throw new Error('no');
        },
      },
      { policies: () => Promise.reject(new Error('no')) },
    ] as const;
    for (const extra of broken) {
      const { tool, ran } = deleteTool(extra as Parameters<typeof deleteTool>[0]);
      expect(await tool('a')).toMatchObject({ type: 'failed', stage: 'before', recorded: 'decision' });
      expect(ran).toEqual([]);
    }
  });
});

describe('the tool', () => {
  it('does not run when the call is aborted between the record and the effect', async () => {
    const controller = new AbortController();
    const inner = createArrayJournal();
    const journal = {
      append: async (...given: Parameters<typeof inner.append>) => {
        controller.abort();
        return inner.append(...given);
      },
    };
    const { tool, ran } = deleteTool({ journal });
    expect(await tool.run(['a'], { signal: controller.signal })).toMatchObject({
      type: 'failed',
      stage: 'before',
      error: { code: 'POLICY_ABORTED' },
      recorded: 'all',
    });
    expect(ran).toEqual([]);
    expect(inner.entries.at(-1)).toMatchObject({ type: 'guard.observation', data: { outcome: 'not-run' } });
  });

  it('runs once when the same call is confirmed twice at once, also without a journal', async () => {
    const ran: string[] = [];
    const tool = guard((path: string) => ran.push(path), {
      name: 't',
      parameters: ['path'],
      concepts: ['delete', 'file'],
      grounder: createSmallGrounder(FILES),
      policies: confirming(),
      onPolicy: async () => true,
    });
    const both = await Promise.all([tool.run(['a'], { id: 'call-1' }), tool.run(['a'], { id: 'call-1' })]);
    expect(both.map((outcome) => outcome.type).sort()).toEqual(['executed', 'failed']);
    expect(ran).toEqual(['a']);
  });

  it('that throws or rejects gives failed during, and is observed', async () => {
    for (const fault of [
      () => {
        throw new Error('EACCES');
      },
      () => Promise.reject(new Error('EACCES')),
    ]) {
      const { journal, grounder } = deleteTool();
      const tool = guard(fault as () => unknown, { name: 't', concepts: ['delete'], grounder, journal });
      expect(await tool()).toMatchObject({
        type: 'failed',
        stage: 'during',
        error: { message: 'EACCES' },
        recorded: 'all',
      });
      expect(journal.entries.at(-1)).toMatchObject({ type: 'guard.observation', data: { outcome: 'error' } });
    }
  });

  it('keeps its value when only the observation cannot be recorded', async () => {
    const { journal, grounder } = deleteTool();
    const reports: string[] = [];
    const tool = guard(
      () => {
        journal.fail = true;
        return 7;
      },
      {
        name: 't',
        concepts: ['delete'],
        grounder,
        journal,
        onReport: (report) => reports.push(report.type),
      },
    );
    expect(await tool()).toMatchObject({ type: 'executed', value: 7, recorded: 'decision' });
    expect(reports).toEqual(['record-failed']);
  });

  it('gets copies: what the caller changes meanwhile is neither checked nor run', async () => {
    const grounder = createSmallGrounder(FILES);
    const seen: unknown[] = [];
    const tool = guard(
      (target: { path: string; tags: string[] }) => {
        target.tags.push('own');
        seen.push(target);
      },
      {
        name: 't',
        concepts: async () => ['delete', 'file'],
        grounder,
      },
    );
    const target = { path: 'a', tags: ['x'] };
    const running = tool(target);
    target.path = '/etc/passwd';
    await running;
    expect(seen).toEqual([{ path: 'a', tags: ['x', 'own'] }]);
    expect(target.tags).toEqual(['x']);
  });

  it('gets copies of named arguments that it may change, while the call stays as it was checked', async () => {
    const tool = guard(
      (tags: string[], ...more: string[][]) => {
        for (const list of [tags, ...more]) list.push('own');
        return [tags, ...more];
      },
      { name: 't', concepts: ['delete'], grounder: createSmallGrounder(FILES), parameters: ['tags', '...more'] },
    );
    const outcome = await tool(['x'], ['y']);
    expect(outcome).toMatchObject({
      type: 'executed',
      value: [
        ['x', 'own'],
        ['y', 'own'],
      ],
    });
    expect(outcome.call.arguments).toEqual({ tags: ['x'], more: [['y']] });
  });

  it('guarded twice is an error', () => {
    const { tool, grounder } = deleteTool();
    expect(() => guard(tool, { concepts: ['delete'], grounder })).toThrow(
      expect.objectContaining({ code: 'POLICY_ALREADY_GUARDED' }),
    );
    expect(() => guardAll({ again: { tool, concepts: ['delete'] } }, { grounder })).toThrow();
  });

  it.each([
    ['no grounder', { grounder: undefined }],
    ['an inbox and a handler', { inbox: memoryInbox(), onPolicy: () => true }],
    ['repeated parameters', { parameters: ['a', 'a'] }],
    ['a reserved parameter', { parameters: ['__proto__'] }],
    ['no name', { name: '' }],
  ])('cannot be guarded with %s', (_what, wrong) => {
    expect(() => deleteTool(wrong as never)).toThrow(expect.objectContaining({ code: 'POLICY_GUARD_OPTIONS' }));
  });

  it('with positional parameters needs their names', async () => {
    const grounder = createSmallGrounder(FILES);
    expect(() => guard((a: string, b: string) => a + b, { name: 't', concepts: ['delete'], grounder })).toThrow(
      expect.objectContaining({ code: 'POLICY_GUARD_OPTIONS' }),
    );
    const one = guard((path: string) => path, { name: 't', concepts: ['delete'], grounder });
    const code = 'POLICY_ARGUMENTS_UNNAMED';
    expect(await one('a')).toMatchObject({
      error: { code, message: expect.stringMatching(/no `parameters`.*a string came/) },
    });
    expect(await (one as (...args: unknown[]) => unknown)({}, 1)).toMatchObject({
      error: { code, message: expect.stringContaining('2 arguments came') },
    });
    const named = guard((path: string) => path, { name: 't', parameters: ['path'], concepts: ['delete'], grounder });
    expect(await (named as (...args: unknown[]) => unknown)('a', 'b', 'c')).toMatchObject({
      type: 'failed',
      stage: 'before',
      error: { code, message: '3 arguments came, and names are given for 1: path' },
    });
  });

  it('gets optional and rest arguments where they belong', async () => {
    const grounder = createSmallGrounder(FILES);
    const seen: unknown[][] = [];
    const tool = guard(
      (...args: [path: string, mode?: string, ...more: number[]]) => {
        seen.push(args);
      },
      {
        name: 't',
        concepts: ['delete'],
        grounder,
        parameters: ['path', 'mode', '...more'],
      },
    );
    const first = await tool('a', undefined, 1, 2);
    await tool('a');
    await tool('a', 'rw');
    expect(seen).toEqual([['a', undefined, 1, 2], ['a'], ['a', 'rw']]);
    expect(first.call.arguments).toEqual({ path: 'a', more: [1, 2] });
    const passing = guard(
      (...args: unknown[]) => {
        seen.push(args);
      },
      {
        name: 't',
        concepts: ['delete'],
        grounder,
        parameters: ['path', 'mode'],
      },
    );
    const context = { signal: null };
    await passing.run(['a'], { passThrough: [context] });
    expect(seen.at(-1)).toEqual(['a', undefined, context]);
  });

  it.each([
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a bigint', 1n],
    ['a number that is not finite', Number.NaN],
    ['a hole', Array.from({ length: 2 })],
    ['a symbol', Symbol('x')],
    ['a map', new Map()],
  ])('does not run with %s, which is not JSON', async (_what, value) => {
    const { tool, ran } = deleteTool();
    expect(await tool({ deep: [value] } as never)).toMatchObject({
      type: 'failed',
      stage: 'before',
      error: { code: 'POLICY_NOT_JSON' },
    });
    expect(ran).toEqual([]);
  });

  it('does not run with lone surrogates, cycles or getters that throw', async () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const trap = {
      get path(): string {
        throw new Error('trap');
      },
    };
    const { tool, ran } = deleteTool();
    for (const value of ['\uD800', { '\uDC00': 1 }]) {
      expect(await tool(value as never)).toMatchObject({ error: { code: 'POLICY_LONE_SURROGATE' } });
    }
    expect(await tool(cycle as never)).toMatchObject({ error: { code: 'POLICY_NOT_JSON' } });
    expect(await tool(trap as never)).toMatchObject({ type: 'failed', error: { message: 'trap' } });
    expect(ran).toEqual([]);
  });

  it('takes __proto__ and constructor as mere names', async () => {
    const { tool } = deleteTool();
    const hostile = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}') as never;
    const outcome = await tool(hostile);
    expect(outcome.type).toBe('executed');
    const path = outcome.call.arguments['path'] as Record<string, unknown>;
    expect(Object.hasOwn(path, '__proto__')).toBe(true);
    expect(path['admin']).toBeUndefined();
  });

  it.each([
    ['a long id', { id: 'x'.repeat(129) }],
    ['an empty id', { id: '' }],
    ['a malformed actor', { actor: '\uD800' }],
    ['labels that are not JSON', { labels: { '/path': () => 1 } as never }],
  ])('does not run for a call with %s', async (_what, context) => {
    const { tool, ran } = deleteTool();
    expect(await tool.run(['a'], context)).toMatchObject({ type: 'failed', stage: 'before' });
    expect(ran).toEqual([]);
  });
});

describe('observing only', () => {
  it.each([
    ['an unknown concept', { concepts: ['mystery'] }, 'ungrounded'],
    ['a block', { policies: policySet(() => ({ passed: false })) }, 'block'],
    ['a confirmation', { policies: confirming(), inbox: memoryInbox() }, 'confirm'],
    ['a grounder that throws', { grounder: { check: () => Promise.reject(new Error('down')) } }, 'block'],
    [
      'a trace that throws',
      {
        onTrace: () => {
          throw new Error('no');
        },
      },
      'allow',
    ],
  ])('lets the act happen in spite of %s, and records it', async (_what, extra, decision) => {
    const { tool, ran, journal } = deleteTool({ ...extra, enforce: false });
    expect(await tool('a')).toMatchObject({
      type: 'executed',
      recorded: 'all',
      verdict: { enforced: false, decision },
    });
    expect(ran).toEqual(['a']);
    expect(verdicts(journal).map((entry) => entry.data)).toMatchObject([{ decision, enforced: false }]);
  });

  it('asks nobody and does not stop when the journal fails', async () => {
    const inbox = memoryInbox();
    const { tool, ran, journal } = deleteTool({ policies: confirming(), inbox, enforce: false });
    journal.fail = true;
    expect(await tool('a')).toMatchObject({ type: 'executed', recorded: 'no' });
    expect(ran).toEqual(['a']);
    expect(await inbox.pending()).toEqual([]);
  });

  it('runs also with arguments that a guard would refuse', async () => {
    const { tool, ran } = deleteTool({ enforce: false });
    expect(await tool(undefined as never)).toMatchObject({ type: 'executed' });
    expect(await tool((() => 1) as never)).toMatchObject({ type: 'executed', verdict: { decision: 'block' } });
    expect(ran).toHaveLength(2);
  });
});

type Fault = { readonly name: string; readonly extra: object; readonly abort?: 'before' | 'during' };

/** Everything that keeps a call from running, alone. */
const FAULTS: readonly Fault[] = [
  { name: 'unknown concept', extra: { concepts: ['delete', 'mystery'] } },
  { name: 'no concept', extra: { concepts: [] } },
  { name: 'too shallow', extra: { minDepth: 4 } },
  { name: 'block', extra: { policies: policySet(() => ({ passed: false })) } },
  {
    name: 'throwing callback',
    extra: {
      policies: policySet(() => {
        throw new Error('x');
      }),
    },
  },
  { name: 'rejecting callback', extra: { policies: policySet(() => Promise.reject(new Error('x'))) } },
  { name: 'dormant', extra: { policies: policySet(() => ({ passed: true })), concepts: ['delete'] } },
  { name: 'nobody to ask', extra: { policies: confirming() } },
  { name: 'declined', extra: { policies: confirming(), onPolicy: () => false } },
  {
    name: 'handler throws',
    extra: {
      policies: confirming(),
      onPolicy: () => {
        throw new Error('x');
      },
    },
  },
  { name: 'pending', extra: { policies: confirming(), inbox: memoryInbox(), wait: false } },
  { name: 'inbox throws', extra: { policies: confirming(), inbox: { consume: () => Promise.reject(new Error('x')) } } },
  {
    name: 'inbox throws at once',
    extra: {
      policies: confirming(),
      inbox: {
        consume: () => {
          throw new Error('x');
        },
      },
    },
  },
  { name: 'grounder rejects', extra: { grounder: { check: () => Promise.reject(new Error('x')) } } },
  {
    name: 'grounder throws',
    extra: {
      grounder: {
        check: () => {
          throw new Error('x');
        },
      },
    },
  },
  { name: 'grounder answers nonsense', extra: { grounder: { check: async () => null } } },
  { name: 'journal rejects', extra: { journal: { append: () => Promise.reject(new Error('x')) } } },
  {
    name: 'secrets throw',
    extra: {
      secrets: {
        replace: () => {
          throw new Error('x');
        },
      },
    },
  },
  {
    name: 'ids throw',
    extra: {
      ids: {
        next: () => {
          throw new Error('x');
        },
      },
    },
  },
  { name: 'aborted before', extra: {}, abort: 'before' },
  {
    name: 'aborted during',
    extra: {
      concepts: async () => {
        await Promise.resolve();
        return ['delete', 'file'];
      },
    },
    abort: 'during',
  },
];

describe('the function', () => {
  it('never runs on any refusal, and a refusal never throws', async () => {
    const anyFault = fc.subarray([...FAULTS], { minLength: 1, maxLength: 3 });
    const harmless = fc.record({
      trace: fc.constantFrom(
        undefined,
        () => undefined,
        () => {
          throw new Error('x');
        },
        () => Promise.reject(new Error('x')),
      ),
      report: fc.constantFrom(undefined, () => {
        throw new Error('x');
      }),
      stop: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(anyFault, harmless, fc.string(), async (faults, { trace, report, stop }, argument) => {
        const extra = Object.assign({}, ...faults.map((fault) => fault.extra)) as Record<string, unknown>;
        // Faults may overwrite each other's options: only the last of two on one option counts, which is a fault still.
        if (extra['inbox'] !== undefined) delete extra['onPolicy'];
        const stillFaulty = faults.some(
          (fault) =>
            fault.abort !== undefined || Object.entries(fault.extra).every(([key, value]) => extra[key] === value),
        );
        fc.pre(stillFaulty);
        const { tool, ran } = deleteTool({
          ...extra,
          ...(trace === undefined ? {} : { onTrace: trace }),
          ...(report === undefined ? {} : { onReport: report }),
        });
        const controller = new AbortController();
        const aborting = faults.find((fault) => fault.abort !== undefined)?.abort;
        if (aborting === 'before') controller.abort();
        const running = tool.run([argument], { signal: controller.signal });
        if (aborting === 'during') controller.abort();
        const outcome = await running;
        expect(outcome.type).not.toBe('executed');
        expect(outcome).not.toMatchObject({ stage: 'during' });
        expect(ran).toEqual([]);
        expect(stop).toBeTypeOf('boolean');
      }),
      { numRuns: process.env['WARRANT_SOAK'] === undefined ? 400 : 20_000, seed: 11 },
    );
  });
});
