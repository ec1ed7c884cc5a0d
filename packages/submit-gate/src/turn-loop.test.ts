import type { Entry, Json, JsonObject } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import type { GateConfig } from './config-types.ts';
import { createGate } from './gate.ts';
import { gateTools } from './gate-tools.ts';
import { acceptChild, explainClaim, recheckRecord } from './record.ts';
import { createTurnLoop } from './turn-loop.ts';
import type { ModelInput, ModelMove, TurnModel } from './turn-model.ts';

const CONFIG: GateConfig = {
  tools: { get: { kind: 'read', targets: ['/id'] }, put: { kind: 'write', targets: ['/id'] } },
};
const call = (tool: string, args: JsonObject = { id: 'x' }): ModelMove => ({
  type: 'calls',
  calls: [{ tool, arguments: args }],
});
const done: ModelMove = { type: 'submit', claim: { type: 'completion' } };

function scripted(moves: readonly ModelMove[], seen: ModelInput[] = []): TurnModel {
  const left = [...moves];
  return {
    next: async (inputs) => {
      seen.push(...inputs);
      return left.shift() ?? done;
    },
  };
}

function store(): {
  readonly values: Map<string, Json>;
  readonly tools: { readonly get: (args: JsonObject) => Json; readonly put: (args: JsonObject) => Json };
} {
  const values = new Map<string, Json>();
  return {
    values,
    tools: {
      get: (args) => values.get(JSON.stringify(args['id'])) ?? 'not found',
      put: (args) => {
        values.set(JSON.stringify(args['id']), args['value'] ?? 'set');
        return 'ok';
      },
    },
  };
}

describe('createTurnLoop', () => {
  it('tells the model why and what next, and accepts once it has looked', async () => {
    const seen: ModelInput[] = [];
    const loop = createTurnLoop({
      model: scripted([call('put'), done, call('get'), done], seen),
      tools: store().tools,
      gate: createGate(CONFIG),
    });
    const outcome = await loop.run('set x');
    expect(outcome).toMatchObject({ type: 'accepted', blocks: 1, recorded: 'no' });
    const refusal = seen.find((input) => input.type === 'refused');
    expect(refusal?.type === 'refused' && refusal.verdict.legalNext[0]).toEqual({
      type: 'observe',
      obligation: '2.1',
      targets: ['x'],
      tool: 'get',
      arguments: { id: 'x' },
    });
    expect(recheckRecord(createGate(CONFIG), outcome.record)).toMatchObject({ sameConfig: true, state: outcome.state });
  });

  it.each([
    ['blocks', { maxBlocks: 2 }, 3],
    ['budget', { maxBlocks: 50 }, 6],
    ['moves', { maxMoves: 2, maxBlocks: 9 }, 1],
  ] as const)('leaves marked as unverified when it runs out of %s', async (why, limits, blocks) => {
    const outcome = await createTurnLoop({
      model: scripted([call('put')]),
      tools: store().tools,
      gate: createGate(CONFIG),
      ...limits,
    }).run('go');
    expect(outcome).toMatchObject({ type: 'unverified', why, blocks });
    expect(outcome.state.open).toEqual([]);
    expect(outcome.state.reportedUnverified).toBe(1);
  });

  it('runs the read-back that a contract names, bounded and recorded', async () => {
    const tools = {
      ...CONFIG.tools,
      put: { kind: 'write', targets: ['/id'], verifyWith: { tool: 'get', arguments: { id: '/id' } } },
    } as const;
    const gate = createGate({ tools });
    const outcome = await createTurnLoop({ model: scripted([call('put'), done]), tools: store().tools, gate }).run(
      'go',
    );
    expect(outcome).toMatchObject({ type: 'accepted', blocks: 0 });
    expect(outcome.record.events.some((item) => item.type === 'observed' && item.event.readBackOf === '2.1')).toBe(
      true,
    );
    const bounded = await createTurnLoop({
      model: scripted([call('put'), done]),
      tools: store().tools,
      gate,
      maxReadBacks: 0,
      maxBlocks: 0,
    }).run('go');
    expect(bounded.type).toBe('unverified');
  });

  it('records before it acts, and does not act when the record fails', async () => {
    const order: string[] = [];
    const entries: Entry[] = [];
    const journal = (failAt: number) => ({
      append: async (_stream: string, batch: readonly Entry[]) => {
        entries.push(...batch);
        order.push(String(batch[0]?.type));
        if (order.length === failAt) throw new Error('disk full');
        return { type: 'appended' as const, first: 1, last: 1, cursor: '1', digest: 'sha256:0' as const, skipped: [] };
      },
    });
    const tools = {
      put: () => {
        order.push('effect');
        return 'ok';
      },
    };
    const gate = createGate(CONFIG);
    const good = await createTurnLoop({
      model: scripted([call('put'), { type: 'submit', claim: { type: 'unverified' } }]),
      tools,
      gate,
      journal: journal(99),
    }).run('go');
    expect(order).toEqual(['gate.turn-began', 'gate.started', 'effect', 'gate.observed', 'gate.submitted']);
    expect(good).toMatchObject({ type: 'unverified', why: 'said-so', recorded: 'all' });
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
    order.length = 0;
    const bad = await createTurnLoop({ model: scripted([call('put')]), tools, gate, journal: journal(2) }).run('go');
    expect(bad.recorded).toBe('no');
    expect(order).toEqual(['gate.turn-began', 'gate.started']);
    expect(bad).toMatchObject({ type: 'failed', stage: 'before' });
    expect(bad.state.open).toEqual([]);
  });

  it('knows a refused call from a failed one and an unknown tool', async () => {
    const refused = { type: 'blocked', call: {}, recorded: 'no', verdict: {} };
    const seen: ModelInput[] = [];
    const tools = {
      put: () => refused as unknown as Json,
      boom: () => {
        throw new Error('broken');
      },
    };
    const moves = [
      call('put'),
      call('boom'),
      call('nothing'),
      { type: 'submit', claim: { type: 'unverified' } } as const,
    ];
    const outcome = await createTurnLoop({ model: scripted(moves, seen), tools, gate: createGate(CONFIG) }).run('go');
    expect(seen.flatMap((input) => (input.type === 'result' ? [input.outcome] : []))).toEqual([
      'not-run',
      'error',
      'not-run',
    ]);
    expect(outcome.state.reportedUnverified).toBe(1);
  });

  it('orders calls that run side by side by their start and end', async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tools = {
      put: async () => {
        await slow;
        return 'ok';
      },
      get: async () => {
        queueMicrotask(release);
        return 'old';
      },
    };
    const both: ModelMove = {
      type: 'calls',
      calls: [
        { tool: 'put', arguments: { id: 'x' } },
        { tool: 'get', arguments: { id: 'x' } },
      ],
    };
    const outcome = await createTurnLoop({
      model: scripted([both, done]),
      tools,
      gate: createGate(CONFIG),
      maxBlocks: 0,
    }).run('go');
    expect(outcome).toMatchObject({ type: 'unverified', why: 'blocks' });
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    const tools = {
      put: () => {
        controller.abort();
        return 'ok';
      },
    };
    const outcome = await createTurnLoop({
      model: scripted([call('put')]),
      tools,
      gate: createGate(CONFIG),
      signal: controller.signal,
    }).run('go');
    expect(outcome.type).toBe('aborted');
    expect(outcome.state.open).toHaveLength(1);
  });

  it('ends when it is aborted, though a model or a tool never answers, and leaves the change open', async () => {
    const never = new Promise<never>(() => {});
    for (const model of [scripted([call('put')]), { next: () => never }] satisfies TurnModel[]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 5);
      const loop = createTurnLoop({
        model,
        tools: { put: () => never },
        gate: createGate(CONFIG),
        signal: controller.signal,
      });
      expect((await loop.run('set x')).type).toBe('aborted');
      expect(loop.state.open.map((item) => item.ended)).toEqual(loop.state.running.map(() => null));
    }
  });

  it('takes the answer of a tool that ends soon after the turn is aborted', async () => {
    const controller = new AbortController();
    const put = async (): Promise<Json> => {
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return 'ok';
    };
    const model = scripted([call('put')]);
    const loop = createTurnLoop({ model, tools: { put }, gate: createGate(CONFIG), signal: controller.signal });
    expect((await loop.run('set x')).type).toBe('aborted');
    expect(loop.state.running).toEqual([]);
    expect(loop.state.open).toMatchObject([{ ended: expect.any(Number) }]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('down'))],
    [
      'fails at once',
      () => {
        throw new Error('down');
      },
    ],
    ['gives no number', async () => Number.NaN],
    ['gives a text', async () => '0.9' as unknown as number],
  ])('refuses where a verifier %s, and so does its record', async (_name, verify) => {
    const gate = createGate({ ...CONFIG, verifier: {} });
    const { tools } = store();
    const loop = createTurnLoop({ model: scripted([call('put'), call('get')]), tools, gate, verify, maxBlocks: 0 });
    const outcome = await loop.run('set x');
    expect(outcome).toMatchObject({ type: 'unverified', why: 'blocks' });
    const again = recheckRecord(gate, JSON.parse(JSON.stringify(outcome.record)));
    expect(again.submits.map((item) => [item.now.reasons[0]?.code, item.same])).toEqual([
      ['gate.verifier-answer-invalid', true],
      [undefined, true],
    ]);
  });

  it('asks a verifier only for what would pass, and keeps its answer for the re-check', async () => {
    const asked: string[][] = [];
    const gate = createGate({ ...CONFIG, verifier: { threshold: 0.8 } });
    const scores = [0.2, 0.9];
    const loop = createTurnLoop({
      model: scripted([call('put'), done, call('get'), done, done]),
      tools: store().tools,
      gate,
      verify: async (question) => {
        asked.push([...question.criteria]);
        return scores.shift() ?? null;
      },
    });
    const outcome = await loop.run('go');
    expect(asked).toEqual([
      ['effect_shown', 'no_overreach'],
      ['effect_shown', 'no_overreach'],
    ]);
    expect(outcome).toMatchObject({ type: 'accepted', blocks: 2 });
    expect(recheckRecord(gate, outcome.record).submits.map((item) => item.same)).toEqual([true, true, true]);
  });

  it('keeps the facts of a long answer, so that its record decides alike', async () => {
    const long = `${'x'.repeat(9_000)} middle-7 ${'y'.repeat(9_000)}`;
    const gate = createGate({ ...CONFIG, surface: ['middle-7'] });
    const outcome = await createTurnLoop({
      model: scripted([call('get'), { type: 'submit', claim: { type: 'assertion' } }]),
      tools: { get: () => long },
      gate,
    }).run('go');
    expect(outcome.type).toBe('accepted');
    const kept = outcome.record.events.find((item) => item.type === 'observed');
    expect(JSON.stringify(kept).length).toBeLessThan(20_000);
    expect(kept?.type === 'observed' && kept.event.full?.bytes).toBe(long.length);
    expect(recheckRecord(gate, outcome.record).state).toEqual(outcome.state);
  });
});

describe('gateTools', () => {
  it('watches tools in a loop of their own and passes their errors on', async () => {
    const { tools, session } = gateTools(
      {
        ...store().tools,
        boom: () => {
          throw new Error('broken');
        },
      },
      createGate(CONFIG),
    );
    await tools.put({ id: 'x' }, { callId: 'one' });
    expect(session.submit({ type: 'completion' }).type).toBe('refused');
    await expect(async () => tools.boom({})).rejects.toThrow('broken');
    await tools.get({ id: 'x' });
    expect(session.submit({ type: 'completion' }).reasons.map((reason) => reason.code)).toEqual([
      'gate.unknown-targets',
    ]);
    session.beginTurn('again');
    session.reason();
    expect(session.submit({ type: 'unverified' }).type).toBe('accepted');
    expect(recheckRecord(createGate(CONFIG), session.record).state).toEqual(session.state);
  });
});

describe('records', () => {
  const recordOf = async (looks: boolean): Promise<ReturnType<typeof gateTools>['session']> => {
    const { tools, session } = gateTools(store().tools, createGate(CONFIG));
    await tools.put({ id: 'x' });
    if (looks) await tools.get({ id: 'x' });
    session.submit({ type: 'completion' });
    return session;
  };

  it('of a child let its claim count only when they bear it out', async () => {
    const parent = createGate(CONFIG);
    const good = (await recordOf(true)).record;
    const ask = (record: typeof good | null, gate = createGate(CONFIG), adopt = false) =>
      acceptChild(parent, parent.initial, { id: 'kid', record, gate, adopt });
    expect(ask(good).type).toBe('counts');
    expect(ask(good).state).toBe(parent.initial);
    expect(ask(good, createGate(CONFIG), true).state).toMatchObject({ verified: true, met: { count: 1 } });
    expect(ask(null)).toMatchObject({ why: 'no-record' });
    expect(ask(good, createGate())).toMatchObject({ why: 'other-config' });
    const bad = (await recordOf(false)).record;
    expect(ask(bad)).toMatchObject({ why: 'not-accepted' });
    expect(ask(bad, createGate(CONFIG), true).state.open.map((item) => item.id)).toEqual(['kid/1.1']);
    const forged = {
      ...bad,
      events: bad.events.map((event) =>
        event.type === 'submitted' ? { ...event, verdict: { ...event.verdict, type: 'accepted' as const } } : event,
      ),
    };
    expect(ask(forged)).toMatchObject({ why: 'not-reproduced' });
    expect(ask({ ...good, events: good.events.slice(0, -1) })).toMatchObject({ why: 'not-accepted' });
  });

  it('can be judged again under another config', async () => {
    const again = recheckRecord(
      createGate({ ...CONFIG, profile: 'reference', surface: ['x'] }),
      (await recordOf(true)).record,
    );
    expect(again.sameConfig).toBe(false);
    expect(again.submits).toMatchObject([{ was: 'accepted', now: { type: 'accepted' }, same: true }]);
    const goals = recheckRecord(createGate({ ...CONFIG, goals: ['tests_passed'] }), (await recordOf(true)).record);
    expect(goals.submits[0]).toMatchObject({ was: 'accepted', now: { type: 'refused' }, same: false });
  });

  it('explain themselves without a charge', async () => {
    const session = await recordOf(false);
    const lines = explainClaim(session.gate, session.state, { type: 'completion' });
    expect(lines[0]).toBe('completion: refused');
    expect(lines.join('\n')).toContain('next: look at x with get {"id":"x"}');
  });
});
