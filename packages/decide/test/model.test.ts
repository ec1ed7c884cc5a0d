import { describe, expect, test } from 'vitest';
import { checkModel } from './model-checker.ts';
import { MODELS } from './models.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;
const SHARE = soak ? 800_000 : 2000;

describe('every interleaving of inputs and every adversarial answer', () => {
  const totals = { transitions: 0, states: 0 };
  test.each(Object.entries(MODELS))('holds with %s', { timeout: 3_600_000 }, (_, model) => {
    const checked = checkModel(model, SHARE);
    totals.transitions += checked.transitions;
    totals.states += checked.states;
    expect(checked.violations).toEqual([]);
    expect(checked.replayed).toBeGreaterThan(10);
  });

  test('was looked at widely enough', () => {
    if (soak) console.log(`model checker: ${totals.transitions} transitions, ${totals.states} distinct states`);
    expect(totals.transitions).toBeGreaterThanOrEqual(soak ? 1_000_000 : 6000);
    expect(totals.states).toBeGreaterThanOrEqual(soak ? 20_000 : 300);
  });
});
