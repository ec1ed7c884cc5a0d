import type { JsonObject } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import type { EvaluationContext } from './conditions.ts';
import { evaluate } from './evaluate.ts';
import { parsePolicy } from './parse-policy.ts';

type When = { readonly [key: string]: unknown };

/** Whether a rule with this `when` takes the proposal. */
function takes(when: When, kind: string, payload: JsonObject, context: EvaluationContext = {}): boolean {
  const policy = parsePolicy({ rules: [{ name: 'r', when, action: 'block' }] });
  const decision = evaluate(policy, { kind, proposedBy: 'scribe', payload }, context);
  if (decision.type !== 'decided') throw new Error(JSON.stringify(decision));
  return decision.rule === 'r';
}

describe('evidence', () => {
  const has = { has_evidence: true };

  it.each([
    ['a list of ids', ['s1', 's2'], true],
    ['no entries', [], false],
    ['a blank entry beside good ones', ['s1', ' \u2003'], false],
    ['an empty entry', [''], false],
  ])('%s', (_, evidence, expected) => {
    expect(takes(has, 'claim', { evidence })).toBe(expected);
    expect(takes({ has_evidence: false }, 'claim', { evidence })).toBe(!expected);
  });

  it('counts only what is known, where that can be told', () => {
    const context = { knownIds: new Set(['s1']) };
    expect(takes(has, 'claim', { evidence: ['s1'] }, context)).toBe(true);
    expect(takes(has, 'claim', { evidence: ['s1', 's2'] }, context)).toBe(false);
  });

  it('is claims together with sources for pages, and nothing for entities', () => {
    expect(takes(has, 'page', { claims: ['c1'] })).toBe(true);
    expect(takes(has, 'page', { sources: ['s1'], claims: [] })).toBe(true);
    expect(takes(has, 'page', { sources: ['s1'], claims: [' '] })).toBe(false);
    expect(takes(has, 'page', { evidence: ['s1'] })).toBe(false);
    expect(takes(has, 'entity', { evidence: ['s1'] })).toBe(false);
  });
});

describe('payload keys', () => {
  it.each([
    [0, true],
    [false, true],
    [' ', true],
    [[null], true],
    [{ a: null }, true],
    [null, false],
    ['', false],
    [[], false],
    [{}, false],
  ])('%j is set: %s', (value, expected) => {
    expect(takes({ payload_has: 'scope' }, 'claim', { scope: value as JsonObject })).toBe(expected);
  });

  it('are those of the payload itself', () => {
    expect(takes({ payload_has: 'constructor' }, 'claim', {})).toBe(false);
    expect(takes({ payload_has: '__proto__' }, 'claim', {})).toBe(false);
    expect(takes({ payload_has: ['text', 'tags'] }, 'claim', { text: 't' })).toBe(false);
  });
});

describe('confidence and type', () => {
  it('bounds take their own value', () => {
    const when = { min_confidence: 0.4, max_confidence: 0.6 };
    const taken = [0.39, 0.4, 0.5, 0.6, 0.61].map((confidence) => takes(when, 'claim', { confidence }));
    expect(taken).toEqual([false, true, true, true, false]);
  });

  it('nothing is filled in, and other kinds have neither', () => {
    expect(takes({ min_confidence: 0 }, 'claim', {})).toBe(false);
    expect(takes({ max_confidence: 1 }, 'claim', { confidence: null })).toBe(false);
    expect(takes({ min_confidence: 0 }, 'entity', { confidence: 1 })).toBe(false);
    expect(takes({ claim_type: 'observation' }, 'claim', {})).toBe(false);
    expect(takes({ claim_type: 'decision' }, 'page', { type: 'decision' })).toBe(false);
  });
});
