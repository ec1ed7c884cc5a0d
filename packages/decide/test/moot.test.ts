import { describe, expect, test } from 'vitest';
import type { Outcome } from '../src/host/calls.ts';
import type { Memory } from '../src/host/memory.ts';
import { judgeMoot } from '../src/host/moot.ts';
import { event, start } from './support.ts';

const CHART = `
states:
  a: { extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: 1m }], on: { go: z } }
  z: { type: final }
`;
const running = start(CHART);
const ended = start(CHART);
ended.take(event('go'));
const judge = ({ state }: typeof running, outcome: object) => judgeMoot({ state } as Memory, outcome as Outcome);

describe('of what comes to an agent need not be recorded', () => {
  test('a timer that is not set', () => {
    const timer = (name: string) => ({ type: 'timer', data: { timer: name } });
    expect(judge(running, timer('deadline:1.0'))).toBeUndefined();
    expect(judge(running, timer('deadline:2.0'))).toEqual({ type: 'moot' });
    expect(judge(ended, timer('deadline:1.0'))).toEqual({ type: 'moot' });
  });

  test.each(['event', 'decision', 'refusal', 'review'])('a %s after its end', (type) => {
    expect(judge(running, { type, data: {} })).toBeUndefined();
    expect(judge(ended, { type, data: {} })).toEqual({ type: 'ended' });
  });

  test.each(['tool.result', 'llm.result', 'llm.error', 'reply'])(
    'but a %s always, for it tells what was done',
    (type) => {
      expect(judge(running, { type, data: {} })).toBeUndefined();
      expect(judge(ended, { type, data: {} })).toBeUndefined();
    },
  );
});
