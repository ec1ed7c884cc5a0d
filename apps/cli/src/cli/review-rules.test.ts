import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DELETE, ENTITY, FIXTURES, folder, json, orchard, RELATION, RULES, review } from '../../test/review-call.ts';

test('check prints three lines and ends with 0, 2 or 1, wrong use included', async () => {
  const directory = orchard(RULES);
  const waiting = `.vouch/proposed/${RELATION}.yaml`;
  const blocked = 'rule:   no-guesses\naction: block\nreason: Too weak.\n';
  expect(await review(directory, ['check', RELATION])).toMatchObject({ code: 2, out: blocked });
  expect(await review(directory, ['check', waiting])).toMatchObject({ code: 2, out: blocked });
  expect(await review(directory, ['check', DELETE])).toMatchObject({
    code: 0,
    out: 'rule:   (default)\naction: require_human\nreason: no rule matched; default=require_human\n',
  });
  expect(json(await review(directory, ['check', ENTITY, '--json']))).toMatchObject({
    action: 'auto_approve',
    rule: 'tools',
  });
  writeFileSync(join(directory, 'bad.yaml'), 'kind: rumour\n');
  writeFileSync(join(directory, 'torn.yaml'), 'kind: [claim\n');
  for (const words of [
    [],
    ['bad.yaml'],
    ['torn.yaml'],
    ['nothing'],
    ['.'],
    [ENTITY, '--frob'],
    [ENTITY, '--as'],
    ['a', 'b'],
  ]) {
    const ran = await review(directory, ['check', ...words]);
    expect(ran, words.join(' ')).toMatchObject({ code: 1, out: '' });
    expect(ran.error).not.toBe('');
  }
  expect((await review(folder(), ['check', ENTITY])).code).toBe(1);
  expect((await review(orchard('  policy: {rules: 3}\n'), ['check', ENTITY])).code).toBe(1);
  expect(await review(orchard(), ['check', ENTITY])).toMatchObject({
    code: 0,
    out: 'rule:   (none)\naction: require_human\nreason: no review.policy configured\n',
  });
});

test('check says when what a rule approves would still not land', async () => {
  const directory = orchard('  policy: {default: auto_approve}\n');
  const ran = await review(directory, ['check', DELETE]);
  expect(ran).toMatchObject({ code: 0, error: expect.stringContaining('only by a rule that names them') });
  expect(ran.out).toContain('action: auto_approve\n');
  expect((await review(directory, ['check', ENTITY])).error).toBe('');
});

type Case = {
  readonly id: string;
  readonly policy: unknown;
  readonly proposal: unknown;
  readonly context?: object;
  readonly check?: { readonly exit: number; readonly stdout: string | null };
};

test('check by a policy file prints every recorded case byte for byte', async () => {
  const directory = folder();
  const cases = readFileSync(join(FIXTURES, 'review-policy/evaluate.jsonl'), 'utf8').trim().split('\n');
  let checked = 0;
  for (const text of cases) {
    const one = JSON.parse(text) as Case;
    if (one.check === undefined || one.context !== undefined) continue;
    writeFileSync(join(directory, 'config.yaml'), JSON.stringify({ review: { policy: one.policy } }));
    writeFileSync(join(directory, 'p.yaml'), JSON.stringify(one.proposal));
    const ran = await review(directory, ['check', 'p.yaml', '--policy', 'config.yaml']);
    expect({ id: one.id, exit: ran.code, stdout: ran.out }).toEqual({
      id: one.id,
      exit: one.check.exit,
      stdout: one.check.stdout ?? '',
    });
    checked += 1;
  }
  expect(checked).toBeGreaterThan(100);
});

test('lint ends with 1 on errors only, and says so of a broken policy', async () => {
  const directory = orchard(RULES);
  expect(await review(directory, ['lint'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('policy_auto_approve_any_actor'),
  });
  writeFileSync(
    join(directory, 'p.yaml'),
    'rules:\n- {name: a, when: {kind: page, claim_type: fact}, action: block, reason: r}\n',
  );
  expect(await review(directory, ['lint', 'p.yaml'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('policy_unsatisfiable_rule /rules/0'),
  });
  writeFileSync(join(directory, 'p.yaml'), 'rules: []\nrules: []\n');
  expect(await review(directory, ['lint', 'p.yaml'])).toMatchObject({
    code: 2,
    error: expect.stringMatching(/p\.yaml:2:1/),
  });
  const broken = await review(orchard('  policy: {default: maybe}\n'), ['lint']);
  expect(broken).toMatchObject({ code: 1, out: expect.stringContaining('policy_bad_value /default') });
  const pending = await review(orchard('  policy: {default: maybe}\n'), ['pending']);
  expect(pending).toMatchObject({ code: 0, error: expect.stringContaining('review.policy is invalid') });
});

test('explain, test, diff and recheck', async () => {
  const directory = orchard(RULES);
  expect((await review(directory, ['explain', RELATION])).out).toContain('for auto_approve by tools:');
  const tests = [
    {
      name: 'weak',
      proposal: { kind: 'relation', proposed_by: 'a', payload: { confidence: 0.2 } },
      expect: { action: 'block' },
    },
  ];
  writeFileSync(join(directory, 't.yaml'), JSON.stringify({ tests }));
  expect(await review(directory, ['test', 't.yaml'])).toMatchObject({
    code: 0,
    out: '1 passed, 0 failed\nnever exercised: tools\n',
  });
  writeFileSync(
    join(directory, 't.yaml'),
    JSON.stringify({ tests: [{ ...tests[0], expect: { action: 'auto_approve' } }] }),
  );
  expect((await review(directory, ['test', 't.yaml'])).code).toBe(1);
  writeFileSync(join(directory, 'new.yaml'), 'default: block\n');
  expect(await review(directory, ['diff', 'new.yaml'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('auto_approve (tools) -> block (default)'),
  });
  expect(await review(directory, ['diff', 'new.yaml', 'new.yaml'])).toMatchObject({ code: 0, out: 'equivalent\n' });
  const recheck = await review(directory, ['recheck', '--policy', 'new.yaml']);
  expect(recheck).toMatchObject({ code: 1, out: expect.stringMatching(/13 of 13 decisions would change/) });
});
