import { createMemoryInbox, createVirtualClock, createVirtualTimer } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { verdicts } from '../test/support/array-journal.ts';
import {
  answer,
  answerQuestion,
  confirming,
  deleteTool,
  memoryInbox,
  policySet,
  settled,
} from '../test/support/kit.ts';
import { FILES } from '../test/support/small-grounder.ts';
import { createGuardSession } from './session.ts';

const policies = confirming();
const moved = { ...FILES, concepts: { ...FILES.concepts, file: 4 as const } };

describe('a confirmation', () => {
  it('waits for a person and runs once on allow', async () => {
    const inbox = memoryInbox();
    const { tool, ran, journal } = deleteTool({ policies, inbox });
    const running = tool('a');
    await settled();
    expect(ran).toEqual([]);
    expect(await answer(inbox, 'allow')).toBe('answered');
    expect(await running).toMatchObject({ type: 'executed', recorded: 'all', verdict: { decision: 'confirm' } });
    expect(ran).toEqual(['a']);
    expect(verdicts(journal).map((entry) => entry.data)).toMatchObject([{ outcome: 'run', approval: { by: 'kim' } }]);
    expect(await inbox.pending()).toEqual([]);
  });

  it('says no for good when the person refuses', async () => {
    const inbox = memoryInbox();
    const { tool, ran } = deleteTool({ policies, inbox });
    const running = tool('a');
    await settled();
    await answer(inbox, 'refuse');
    expect(await running).toMatchObject({ type: 'declined', answer: { choice: 'refuse', answeredBy: 'kim' } });
    expect(ran).toEqual([]);
  });

  it('gives pending without waiting, and the same call again uses the answer, once', async () => {
    const inbox = memoryInbox();
    const { tool, ran, journal } = deleteTool({ policies, inbox, wait: false });
    const first = await tool('a');
    const second = await tool('a');
    expect(first).toMatchObject({ type: 'pending', recorded: 'decision' });
    expect(second.type === 'pending' && first.type === 'pending' && second.question.id).toBe(
      first.type === 'pending' && first.question.id,
    );
    await answer(inbox, 'allow');
    expect(await tool('a')).toMatchObject({ type: 'executed' });
    expect(await tool('a')).toMatchObject({ type: 'pending' });
    expect(ran).toEqual(['a']);
    expect(verdicts(journal).map((entry) => (entry.data as { outcome: string }).outcome)).toEqual([
      'pending',
      'pending',
      'run',
      'pending',
    ]);
  });

  it.each([
    ['another argument', ['b'], {}],
    ['another actor', ['a'], { actor: 'agent-2' }],
    ['another folder', ['a'], { directory: '/elsewhere' }],
  ] as const)('is not used by a call with %s', async (_what, args, context) => {
    const inbox = memoryInbox();
    const { tool, ran } = deleteTool({ policies, inbox, wait: false });
    await tool('a');
    await answer(inbox, 'allow');
    expect(await tool.run([...args], context)).toMatchObject({ type: 'pending' });
    expect(ran).toEqual([]);
    expect(await tool('a')).toMatchObject({ type: 'executed' });
  });

  it('is not used under another tool, view or policy', async () => {
    const inbox = memoryInbox();
    let current = policies;
    const { tool, ran, grounder } = deleteTool({ policies: () => current, inbox, wait: false });
    await tool('a');
    await answer(inbox, 'allow');
    current = confirming({ version: '2' });
    expect(await tool('a')).toMatchObject({ type: 'pending' });
    current = policies;
    grounder.graph = moved;
    expect(await tool('a')).toMatchObject({ type: 'pending' });
    grounder.graph = FILES;
    const other = deleteTool({ policies, inbox, wait: false, name: 'erase_file' });
    expect(await other.tool('a')).toMatchObject({ type: 'pending' });
    expect(ran).toEqual([]);
    expect(await tool('a')).toMatchObject({ type: 'executed' });
  });

  it('survives a change of the graph that the call does not see', async () => {
    const inbox = memoryInbox();
    const { tool, grounder } = deleteTool({ policies, inbox, wait: false });
    await tool('a');
    await answer(inbox, 'allow');
    grounder.graph = { ...FILES, concepts: { ...FILES.concepts, unrelated: 1 } };
    expect(await tool('a')).toMatchObject({ type: 'executed' });
  });

  it('cannot be given by whoever asked', async () => {
    const inbox = memoryInbox();
    const { tool, ran } = deleteTool({ policies, inbox, wait: false });
    await tool('a');
    expect(await answer(inbox, 'allow', 'agent-1')).toBe('forbidden');
    const careless = {
      ...inbox,
      consume: async (subject: `sha256:${string}`) => ({
        type: 'consumed' as const,
        answer: {
          questionId: 'q',
          subject,
          choice: 'allow',
          answeredBy: 'agent-1',
          answeredAt: '2026-01-01T00:00:00Z',
        },
      }),
    };
    const other = deleteTool({ policies, inbox: careless, wait: false });
    expect(await other.tool('a')).toMatchObject({ type: 'declined' });
    expect([...ran, ...other.ran]).toEqual([]);
  });

  it('does not count for another subject, whatever an inbox says', async () => {
    const inbox = memoryInbox();
    const careless = {
      ...inbox,
      consume: async () => ({
        type: 'consumed' as const,
        answer: {
          questionId: 'q',
          subject: `sha256:${'1'.repeat(64)}` as const,
          choice: 'allow',
          answeredBy: 'kim',
          answeredAt: '2026-01-01T00:00:00Z',
        },
      }),
    };
    const { tool, ran } = deleteTool({ policies, inbox: careless });
    expect(await tool('a')).toMatchObject({ type: 'declined' });
    expect(ran).toEqual([]);
  });

  it.each([
    [
      'the graph moved',
      (kit: ReturnType<typeof deleteTool>) => {
        kit.grounder.graph = moved;
      },
    ],
    [
      'the concept is gone',
      (kit: ReturnType<typeof deleteTool>) => {
        kit.grounder.graph = { concepts: { delete: 3 }, edges: [] };
      },
    ],
  ])('does not count when %s while it was awaited', async (_what, change) => {
    const inbox = memoryInbox();
    const kit = deleteTool({ policies, inbox });
    const running = kit.tool('a');
    await settled();
    change(kit);
    await answer(inbox, 'allow');
    const outcome = await running;
    expect(outcome).toMatchObject({ type: 'blocked' });
    expect(outcome.type === 'blocked' && outcome.verdict.reasons.at(-1)?.code).toBe('policy.approval-void');
    expect(kit.ran).toEqual([]);
  });

  it('does not count when a policy moved, or a block began to fire, while it was awaited', async () => {
    let strict = false;
    const changing = policySet(() => ({ passed: false }), { requiresConfirmation: true });
    const inbox = memoryInbox();
    const kit = deleteTool({ policies: () => (strict ? confirming({ version: '2' }) : changing), inbox });
    const running = kit.tool('a');
    await settled();
    strict = true;
    await answer(inbox, 'allow');
    expect(await running).toMatchObject({ type: 'blocked' });
    expect(kit.ran).toEqual([]);
  });

  it('through a handler does not count when the graph moved meanwhile', async () => {
    const kit: ReturnType<typeof deleteTool> = deleteTool({
      policies,
      onPolicy: async () => {
        kit.grounder.graph = moved;
        return true;
      },
    });
    expect(await kit.tool('a')).toMatchObject({ type: 'blocked' });
    expect(kit.ran).toEqual([]);
  });

  it('expires, and is asked anew by the same call', async () => {
    const clock = createVirtualClock();
    const timer = createVirtualTimer();
    const inbox = createMemoryInbox({ clock, timer });
    const { tool, ran } = deleteTool({ policies, inbox, clock, questionTtlMs: 1000 });
    const running = tool.run(['a'], { id: 'call-1' });
    await settled();
    clock.advance(1000);
    timer.advance(1000);
    expect(await running).toMatchObject({ type: 'declined', answer: null });
    const again = tool.run(['a'], { id: 'call-1' });
    await settled();
    expect(await inbox.pending()).toHaveLength(1);
    await answer(inbox, 'allow');
    expect(await again).toMatchObject({ type: 'executed' });
    expect(ran).toEqual(['a']);
  });

  it('given but not used in time counts no more', async () => {
    const clock = createVirtualClock();
    const inbox = createMemoryInbox({ clock });
    const { tool, ran } = deleteTool({ policies, inbox, clock, wait: false, questionTtlMs: 1000 });
    await tool('a');
    await answer(inbox, 'allow');
    clock.advance(1000);
    expect(await tool('a')).toMatchObject({ type: 'pending' });
    expect(ran).toEqual([]);
  });

  it('lets one of two equal calls run, and asks anew for the other', async () => {
    const inbox = memoryInbox();
    const { tool, ran } = deleteTool({ policies, inbox });
    const both = [tool('a'), tool('a')];
    await settled();
    expect(await inbox.pending()).toHaveLength(1);
    await answer(inbox, 'allow');
    await settled();
    expect(ran).toEqual(['a']);
    await answer(inbox, 'refuse');
    expect((await Promise.all(both)).map((outcome) => outcome.type).sort()).toEqual(['declined', 'executed']);
    expect(ran).toEqual(['a']);
  });

  it('runs a call once, however often the same call comes back, also at once', async () => {
    const inbox = memoryInbox();
    const { tool, ran } = deleteTool({ policies, inbox });
    const both = [tool.run(['a'], { id: 'call-1' }), tool.run(['a'], { id: 'call-1' })];
    await settled();
    await answer(inbox, 'allow');
    await Promise.all(both);
    expect(await tool.run(['a'], { id: 'call-1' })).toMatchObject({
      type: 'failed',
      stage: 'before',
      error: { code: 'POLICY_APPROVAL_USED' },
    });
    expect(ran).toEqual(['a']);
  });

  it('runs once also when another process repeats the call, by the record', async () => {
    const inbox = memoryInbox();
    const first = deleteTool({ policies, inbox });
    const running = first.tool.run(['a'], { id: 'call-1' });
    await settled();
    await answer(inbox, 'allow');
    await running;
    const second = deleteTool({ policies, inbox, journal: first.journal });
    expect(await second.tool.run(['a'], { id: 'call-1' })).toMatchObject({
      type: 'failed',
      stage: 'before',
      error: { code: 'POLICY_APPROVAL_USED' },
    });
    expect([first.ran, second.ran]).toEqual([['a'], []]);
  });

  it('may be used again by the same call when the record failed before the effect', async () => {
    const inbox = memoryInbox();
    const { tool, ran, journal } = deleteTool({ policies, inbox, wait: false });
    await tool.run(['a'], { id: 'call-1' });
    await answer(inbox, 'allow');
    journal.fail = true;
    expect(await tool.run(['a'], { id: 'call-1' })).toMatchObject({ type: 'failed', stage: 'before', recorded: 'no' });
    expect(ran).toEqual([]);
    journal.fail = false;
    expect(await tool.run(['a'], { id: 'call-1' })).toMatchObject({ type: 'executed' });
    expect(ran).toEqual(['a']);
  });

  it('needs an actor to be bound to', async () => {
    const inbox = memoryInbox();
    const { tool } = deleteTool({ policies, inbox });
    const anonymous = deleteTool({ policies, inbox, actor: undefined as unknown as string });
    expect(await anonymous.tool('a')).toMatchObject({ type: 'failed', error: { code: 'POLICY_ACTOR_MISSING' } });
    expect(await inbox.pending()).toEqual([]);
    expect(tool.toolName).toBe('delete_file');
  });

  it('is refused where nobody can be asked', async () => {
    const { tool } = deleteTool({ policies });
    const outcome = await tool('a');
    expect(outcome).toMatchObject({ type: 'blocked' });
    expect(outcome.type === 'blocked' && outcome.verdict.reasons.at(-1)?.code).toBe('policy.no-one-to-ask');
  });

  it('is refused when the handler throws or rejects', async () => {
    for (const onPolicy of [
      () => {
        throw new Error('no screen');
      },
      () => Promise.reject(new Error('no screen')),
    ]) {
      const { tool, ran } = deleteTool({ policies, onPolicy });
      const outcome = await tool('a');
      expect(outcome.type === 'blocked' && outcome.verdict.reasons.at(-1)).toMatchObject({
        code: 'policy.handler-error',
        message: 'the confirmation handler failed: no screen',
      });
      expect(ran).toEqual([]);
    }
  });

  it('is withdrawn when the call is aborted, and the tool never runs', async () => {
    const inbox = memoryInbox();
    const { tool, ran, journal } = deleteTool({ policies, inbox });
    const controller = new AbortController();
    const running = tool.run(['a'], { signal: controller.signal });
    await settled();
    const [question] = await inbox.pending();
    controller.abort(new Error('the client went away'));
    expect(await running).toMatchObject({
      type: 'failed',
      stage: 'before',
      error: { code: 'POLICY_ABORTED' },
      recorded: 'decision',
    });
    expect(await inbox.pending()).toEqual([]);
    expect(question === undefined ? '' : await answerQuestion(inbox, question, 'allow')).toBe('unknown');
    expect(ran).toEqual([]);
    expect(journal.entries.map((entry) => entry.type)).toEqual(['guard.failed']);
  });

  it('P2: a refusal holds on every road to the tool', async () => {
    const inbox = memoryInbox();
    const { tool, ran, journal } = deleteTool({ policies, inbox });
    const running = tool.run(['a'], { id: 'call-1' });
    await settled();
    await answer(inbox, 'refuse');
    expect(await running).toMatchObject({ type: 'declined' });
    expect(await tool.run(['a'], { id: 'call-1' })).toMatchObject({ type: 'declined', answer: { choice: 'refuse' } });
    expect(ran).toEqual([]);
    expect(verdicts(journal)).toHaveLength(1);
    expect(await inbox.pending()).toEqual([]);
  });

  it('P2: a refusal by handler holds for the same call too', async () => {
    const answers = [false, true];
    const { tool, ran, journal } = deleteTool({ policies, onPolicy: () => answers.shift() ?? true });
    expect(await tool.run(['a'], { id: 'call-1' })).toMatchObject({ type: 'declined' });
    expect(await tool.run(['a'], { id: 'call-1' })).toMatchObject({ type: 'declined' });
    expect(ran).toEqual([]);
    expect(verdicts(journal)).toHaveLength(1);
  });
});

describe('a confirmation for the session', () => {
  const sticky = confirming({ sticky: 'session' });

  it('covers the actor, the tool and the placement until the session ends', async () => {
    let asked = 0;
    const session = createGuardSession();
    const onPolicy = () => {
      asked += 1;
      return true;
    };
    const { tool, ran } = deleteTool({ policies: sticky, onPolicy, session });
    await tool('a');
    expect(await tool('b')).toMatchObject({ type: 'executed' });
    expect(asked).toBe(1);
    await tool.run(['c'], { actor: 'agent-2' });
    expect(asked).toBe(2);
    await deleteTool({ policies: sticky, onPolicy, session, name: 'other' }).tool('d');
    expect(asked).toBe(3);
    await deleteTool({ policies: confirming({ sticky: 'session', version: '2' }), onPolicy, session }).tool('e');
    expect(asked).toBe(4);
    session.end();
    await tool('f');
    await tool('g');
    expect(asked).toBe(6);
    expect(ran).toEqual(['a', 'b', 'c', 'f', 'g']);
  });

  it('is never the default, and a refusal is not remembered', async () => {
    let asked = 0;
    const plain = deleteTool({
      policies,
      onPolicy: () => {
        asked += 1;
        return true;
      },
    });
    await plain.tool('a');
    await plain.tool('b');
    expect(asked).toBe(2);
    const refusing = deleteTool({
      policies: sticky,
      onPolicy: () => {
        asked += 1;
        return false;
      },
    });
    await refusing.tool('a');
    await refusing.tool('b');
    expect(asked).toBe(4);
  });
});
