import { isWarrantError } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createGate } from '../gate.ts';
import { Session } from '../testing.ts';
import { compileContracts, createPostcondition } from './index.ts';

const order = {
  type: 'object',
  required: ['id', 'status'],
  properties: { id: { type: 'string' }, status: { type: 'string' } },
};

describe('contracts', () => {
  it('hold an answer against schema and expression', () => {
    const cancelled = createPostcondition({
      name: 'cancelled',
      result: order,
      holds: "result.id == args.id && result.status == 'cancelled'",
    });
    expect(cancelled.check({ id: 'a' }, { id: 'a', status: 'cancelled' })).toEqual({ type: 'holds' });
    expect(cancelled.check({ id: 'a' }, { id: 'b', status: 'cancelled' }).type).toBe('fails');
    expect(cancelled.check({ id: 'a' }, { id: 'a' }).type).toBe('unknown');
    expect(cancelled.check({}, { id: 'a', status: 'cancelled' }).type).toBe('unknown');
  });

  it('are named for what they say, so that a changed contract changes the digest of a gate', () => {
    const gate = (holds: string): string =>
      createGate({ tools: compileContracts({ cancel: { kind: 'write', ownAnswer: { name: 'cancelled', holds } } }) })
        .config.digest;
    expect(gate('true')).toBe(gate('true'));
    expect(gate('true')).not.toBe(gate('false'));
  });

  it('meet the obligation of their own call, and say when they are broken', () => {
    const tools = compileContracts({
      cancel: {
        kind: 'write',
        targets: ['/id'],
        result: 'json',
        ownAnswer: { name: 'cancelled', result: order, holds: "result.status == 'cancelled'" },
      },
    });
    const session = new Session(createGate({ tools }));
    session.run({ tool: 'cancel', args: { id: 'x' }, result: '{"id":"x","status":"cancelled"}' });
    expect(session.submit()).toBe('accepted');
    session.run({ tool: 'cancel', args: { id: 'x' }, result: '{"id":"x","status":"open"}' });
    expect(session.submit()).toBe('contradicted');
    session.run({ tool: 'cancel', args: { id: 'x' }, result: 'Error: no such order' });
    expect(session.submit()).not.toBe('accepted');
  });

  it.each([
    { name: 'a', holds: 'result.' },
    { name: 'b', holds: 'unknown_name == 1' },
    { name: 'c', holds: '1 + 1' },
    { name: 'd', holds: 'true', result: { type: 'no-such-type' } },
  ])('refuse what does not compile: $holds', (definition) => {
    let code: unknown;
    try {
      createPostcondition(definition);
    } catch (error) {
      code = isWarrantError(error) ? error.code : error;
    }
    expect(code).toBe('SUBMIT_GATE_CONTRACT_INVALID');
  });
});
