import { createGate, type GateState } from '@warrant/submit-gate';
import { describe, expect, test } from 'vitest';
import { initialSession, openObligations, resumeSession } from './session-state.ts';

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

  test('keeps how much is open where another version of the gate kept it', () => {
    const { things: _things, past: _past, unknownChange: _change, ...older } = begun;
    const kept = { ...older, version: 1, config: 'sha256:of another' } as object as GateState;
    const resumed = resumeSession(gate, { ...initialSession(gate), gate: kept });
    expect(openObligations(resumed)).toEqual(['and 1 more that can no longer be named']);
    expect(gate.submit(resumed.gate, { type: 'completion' }).verdict.type).toBe('refused');
    expect(gate.submit(resumed.gate, { type: 'unverified' }).verdict.type).toBe('accepted');
  });
});
