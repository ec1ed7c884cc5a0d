import { createGate } from '@warrant/submit-gate';
import { describe, expect, test } from 'vitest';
import { initialSession, openObligations, resumeSession, type SessionState } from './session-state.ts';

const gate = createGate();
const begun = gate.start(gate.initial, {
  startSeq: 1,
  call: { id: 'c1', tool: 'Write', arguments: { file_path: '/a' } },
  effects: { class: 'write', reads: [], writes: ['/a'], deletes: [], unknownTargets: [], network: 'no' },
});

describe('a session that is taken up again', () => {
  test('goes on under other settings with what is open', () => {
    const other = createGate({ cap: 9 });
    const resumed = resumeSession(other, { ...initialSession(gate), gate: begun });
    expect(resumed.gate).toEqual({ ...begun, config: other.config.digest });
  });

  test('is none where another version kept it, or it is damaged', () => {
    const kept = { ...initialSession(gate), gate: begun };
    const { things: _things, ...older } = begun;
    const faulty: readonly unknown[] = [
      undefined,
      'session',
      {},
      { ...kept, version: 2 },
      { ...kept, tasks: { t: 5 } },
      { ...kept, sequence: -1 },
      { ...kept, approved: [5] },
      { ...kept, agents: { a: { kind: 'x' } } },
      { ...kept, gate: null },
      { ...kept, gate: { ...older, version: 1 } },
      { ...kept, gate: older },
      { ...kept, gate: { ...begun, open: [5] } },
      { ...kept, gate: { ...begun, running: [{ id: 'x', tool: 'y' }] } },
    ];
    expect(resumeSession(gate, kept)).toEqual(kept);
    for (const one of faulty) {
      expect(() => resumeSession(gate, one as SessionState)).toThrow(
        expect.objectContaining({ code: 'CLAUDE_STATE_INVALID' }),
      );
    }
  });

  test('shows that it cannot be read', () => {
    expect(openObligations({} as SessionState)).toEqual(['what was kept of this session cannot be read']);
  });
});
