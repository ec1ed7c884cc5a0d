import { describe, expect, it } from 'vitest';
import { createReviewGate } from '../gate.ts';
import { createMemoryReviewStore } from '../memory-store.ts';
import { parsePolicy } from '../parse-policy.ts';
import { MAX_LINE_LENGTH, serveJsonl } from './jsonl.ts';

const policy = parsePolicy({
  rules: [
    { name: 'facts', when: { actor: 'scribe', claim_type: ['fact'], min_confidence: 0.8 }, action: 'auto_approve' },
    { name: 'weak', when: { max_confidence: 0.4 }, action: 'block', reason: 'too weak' },
  ],
});

async function talk(...lines: readonly string[]): Promise<readonly { readonly [key: string]: unknown }[]> {
  const gate = createReviewGate({ store: createMemoryReviewStore(), settings: () => ({ policy }) });
  const out: string[] = [];
  const input = async function* (): AsyncIterable<string> {
    for (const line of lines) yield `${line}\n`;
  };
  await serveJsonl(
    gate,
    input(),
    { write: (text) => out.push(text) },
    { actor: 'scribe', now: () => '2026-01-01T00:00:00.000Z' },
  );
  return out.map((text) => JSON.parse(text) as { readonly [key: string]: unknown });
}

const propose = (id: number, params: object): string => JSON.stringify({ id, method: 'kb.propose_claim', params });
const claim = { id: 'c', text: 't', type: 'fact', confidence: 0.9, evidence: ['s1'] };

describe('the server of JSON lines', () => {
  it('lands, queues and refuses with a structured error', async () => {
    const [landed, queued, blocked] = await talk(
      propose(1, claim),
      propose(2, { ...claim, id: 'd', type: 'decision' }),
      propose(3, { ...claim, id: 'e', confidence: 0.2 }),
    );
    expect(landed).toMatchObject({
      id: 1,
      ok: true,
      result: { status: 'approved', auto_approved: true, policy_rule: 'facts' },
    });
    expect(queued).toMatchObject({
      id: 2,
      ok: true,
      result: { status: 'pending', auto_approved: false, policy_rule: null },
    });
    expect(blocked).toMatchObject({
      id: 3,
      ok: false,
      error: { code: 'policy_blocked', rule: 'weak', reason: 'too weak' },
    });
  });

  it('checks without filing, and says what it can do', async () => {
    const check = {
      id: 'x',
      method: 'policy_check',
      params: { kind: 'claim', payload: { ...claim, confidence: 0.1 } },
    };
    const [checked, pending, able] = await talk(
      JSON.stringify(check),
      '{"id":2,"method":"list_pending"}',
      '{"id":3,"method":"capabilities"}',
    );
    expect(checked).toEqual({ id: 'x', ok: true, result: { action: 'block', rule: 'weak', reason: 'too weak' } });
    expect(pending).toEqual({ id: 2, ok: true, result: { proposals: [] } });
    expect(able).toMatchObject({
      result: { policy: { enabled: true, auto_approve_actions: ['fact'], default_action: 'require_human' } },
    });
  });

  it('answers what it cannot use and goes on', async () => {
    const answers = await talk(
      '{',
      '[]',
      '{"id":1}',
      '{"id":2,"method":"__proto__"}',
      '{"id":3,"method":"capabilities","params":[]}',
      propose(4, { ...claim, status: 'stable' }),
      propose(5, { ...claim, proposed_by: 'alice' }),
      propose(6, { ...claim, id: '../../escaped' }),
      `"${'x'.repeat(MAX_LINE_LENGTH)}"`,
      propose(7, claim),
    );
    const codes = answers.map((answer) => (answer['error'] as { code?: string } | undefined)?.code);
    expect(codes).toEqual([
      'invalid_json',
      'invalid_request',
      'invalid_request',
      'method_not_found',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      undefined,
    ]);
  });
});
