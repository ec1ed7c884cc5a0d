import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace } from '@warrant/workspace';
import { expect, test } from 'vitest';
import { runWarrant } from '../../test/warrant.ts';

const CHART = `format: warrant.chart/1
data: { amount: 0, seen: null }
states:
  idle: { on: { request: { target: looking, do: [ assign: { location: amount, expr: ev.data.amount } ] } } }
  looking:
    invoke: { type: 'vt:tool', id: look, src: 'urn:tool:look', content: { expr: '{"amount": ctx.amount}' } }
    on: { done.invoke.look: { target: deciding, do: [ assign: { location: seen, expr: ev.data } ] } }
  deciding:
    extensions: [{ local: decide, attribute: rule }]
    on: { approve: { cond: ctx.amount <= 100, target: done }, ask: asking }
  asking:
    extensions: [{ local: decide, attribute: person }]
    on: { approve: done, reject: done }
  done: { type: final, donedata: { params: [{ name: amount, expr: ctx.amount }] } }
`;
const KIT = `export default ({ inbox, decide, dataModel }) => ({
  deciders: {
    rule: decide.createGuardDecider({ dataModel, rules: [{ event: 'approve' }, { event: 'ask' }] }),
    person: decide.createHumanDecider({ inbox }),
  },
  tools: [decide.createTool({ iri: 'urn:tool:look', call: ({ amount }) => ({ high: amount > 100 }) })],
});
`;
const ACTOR = 'urn:agent:refund';

async function workspace() {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-agent-'));
  writeFileSync(join(directory, 'refund.yaml'), CHART);
  writeFileSync(join(directory, 'kit.mjs'), KIT);
  const warrant = (...words: string[]) => runWarrant(directory, words);
  await warrant('init');
  return Object.assign(warrant, { directory });
}

/** Everything that stands in the files of a folder, however deep. */
function allText(directory: string): string {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

test('an agent runs, waits for a person, goes on, and says why', { timeout: 120_000 }, async () => {
  const warrant = await workspace();
  const run = (...more: string[]) => warrant('agent', 'run', 'refund.yaml', 'kit.mjs', '--actor', ACTOR, ...more);
  const first = await run('--event', 'request={"amount":250,"note":"my key is AKIAIOSFODNN7EXAMPLE"}');
  expect(first).toMatchObject({ code: 4, error: '' });
  // What was recorded is what the agent saw: the request, without the secret in it.
  expect(allText(warrant.directory)).toContain('my key is [secret:');
  expect(allText(warrant.directory)).not.toContain('AKIAIOSFODNN7EXAMPLE');
  expect(first.out).toContain('asking waits for person: approve, reject');

  const asked = JSON.parse((await warrant('agent', 'inbox', ACTOR, '--json')).out) as readonly {
    readonly id: string;
  }[];
  expect(asked).toHaveLength(1);
  const id = asked[0]?.id ?? '';
  expect(id).toBe(`${ACTOR}/decision/4.0`);
  const explained = await warrant('agent', 'explain', 'refund.yaml', `${ACTOR}/decision/3.0`);
  expect(explained.out).toContain("accepted 'ask'");
  expect(explained.out).toContain('asked    rule');
  expect(explained.out).toContain('"amount":250');

  expect(await warrant('agent', 'fork', 'refund.yaml', ACTOR, '4', 'urn:agent:other')).toMatchObject({ code: 0 });
  expect((await warrant('agent', 'status', 'urn:agent:other')).out).toContain('urn:agent:other/decision/4.0');

  expect(await warrant('inbox', 'answer', id, 'approve', '--as', 'ann')).toMatchObject({ code: 0 });
  const second = await run();
  expect(second.out).toContain('done: {"amount":250}');
  expect(second.code).toBe(0);

  const journal = await warrant('agent', 'journal', ACTOR);
  expect(journal.out).toContain('takes approve');
  for (const [format, text] of [
    ['turtle', 'reifies'],
    ['ntriples', 'urn:warrant:agent:1#chose'],
    ['jsonld', '@context'],
    ['json', '"decisions"'],
  ] as const)
    expect((await warrant('agent', 'graph', ACTOR, '--format', format)).out).toContain(text);
});

test('a person gives the data that an event wants, checked before the question is used up', {
  timeout: 120_000,
}, async () => {
  const warrant = await workspace();
  writeFileSync(
    join(warrant.directory, 'vote.yaml'),
    `format: warrant.chart/1
data: { by: null }
extensions: [{ local: types, attribute: 'event approve = { by: string };' }]
states:
  asking: { extensions: [{ local: decide, attribute: person }], on: { approve: { target: done, do: [ assign: { location: by, expr: ev.data.by } ] } } }
  done: { type: final, donedata: { params: [{ name: by, expr: ctx.by }] } }
`,
  );
  const run = (...more: string[]) => warrant('agent', 'run', 'vote.yaml', 'kit.mjs', '--actor', ACTOR, ...more);
  expect(await run('--input', '[1]')).toMatchObject({ code: 2 });
  expect((await run()).code).toBe(4);
  const id = `${ACTOR}/decision/1.0`;
  for (const list of [
    ['agent', 'inbox'],
    ['inbox', 'list'],
  ])
    expect((await warrant(...list)).out).toContain(
      `${id} approve --payload JSON   or   warrant inbox answer ${id} '$refuse'`,
    );
  const approve = (...more: string[]) => warrant('inbox', 'answer', id, 'approve', '--as', 'ann', ...more);
  for (const wrong of [[], ['--payload', '{"by":1}'], ['--payload', '{']])
    expect(await approve(...wrong)).toMatchObject({ code: 2 });
  const key = 'AKIAIOSFODNN7EXAMPLE';
  expect(await approve('--payload', `{"by":"ann ${key}"}`, '--reason', `for ${key}`)).toMatchObject({ code: 0 });
  expect((await run()).out).toMatch(/done: \{"by":"ann \[secret:[0-9a-f]{16}\]"\}/);
  expect(allText(warrant.directory)).not.toContain(key);

  for (const words of [
    ['explain', 'refund.yaml', id],
    ['fork', 'refund.yaml', ACTOR, '1', 'urn:agent:other'],
  ])
    expect(await warrant('agent', ...words)).toMatchObject({
      code: 2,
      error: expect.stringContaining('started with another chart') as string,
    });
  for (const position of ['abc', '0', '1.5'])
    expect((await warrant('agent', 'fork', 'vote.yaml', ACTOR, position, 'urn:agent:other')).code).toBe(2);
  expect((await warrant('agent', 'fork', 'vote.yaml', 'urn:agent:none', '1', 'urn:agent:other')).code).toBe(3);
});

test('a chart that opens very much at once is told in full where the chart is named', {
  timeout: 120_000,
}, async () => {
  const warrant = await workspace();
  const regions = Array.from(
    { length: 40 },
    (_, index) =>
      `      r${index}: { extensions: [{ local: decide, attribute: person }], on: { choose_${index}: {} } }\n`,
  );
  writeFileSync(
    join(warrant.directory, 'wide.yaml'),
    `format: warrant.chart/1\nstates:\n  all:\n    type: parallel\n    states:\n${regions.join('')}`,
  );
  expect((await warrant('agent', 'run', 'wide.yaml', 'kit.mjs', '--actor', ACTOR)).out).toContain('choose_39');
  for (const words of [
    ['status', ACTOR],
    ['journal', ACTOR],
    ['graph', ACTOR, '--format', 'json'],
  ]) {
    const alone = await warrant('agent', ...words);
    expect(alone.out).toMatch(/--chart FILE|omitted/);
    expect(alone.out).not.toContain('choose_39');
    const told = await warrant('agent', ...words, '--chart', 'wide.yaml');
    expect(told.out).toContain('choose_39');
    expect(told.out).not.toContain('--chart FILE');
    const other = await warrant('agent', ...words, '--chart', 'refund.yaml');
    expect(other).toMatchObject({ code: 2, error: expect.stringContaining('started with another chart') as string });
  }
  expect((await warrant('agent', 'explain', 'wide.yaml', `${ACTOR}/decision/1.39`)).out).toContain('choose_39');
});

test('the faults of a chart are told once each, with their places', { timeout: 60_000 }, async () => {
  const warrant = await workspace();
  writeFileSync(
    join(warrant.directory, 'bad.yaml'),
    "format: warrant.chart/1\nstates:\n  a: { extensions: [{ local: decide, attribute: '' }] }\n  b: { type: final, extensions: [{ local: decide, attribute: x }] }\n",
  );
  const { code, error } = await warrant('agent', 'run', 'bad.yaml', 'kit.mjs');
  expect(code).toBe(2);
  expect(error.trim().split('\n')).toEqual([
    '3:6: the decider of a decide state is empty',
    '4:6: a final decides nothing: only an atomic or compound state does',
    "4:6: nothing leads to the state 'b' (CHART_INVALID)",
  ]);
});

test('another chart takes over when a reviewer has let it, and not before', { timeout: 120_000 }, async () => {
  const warrant = await workspace();
  const { directory } = warrant;
  await warrant('agent', 'run', 'refund.yaml', 'kit.mjs', '--actor', ACTOR, '--event', 'request={"amount":250}');
  writeFileSync(
    join(directory, 'next.yaml'),
    CHART.replaceAll('asking', 'waiting').replace(
      'approve: done, reject: done',
      'approve: done, reject: done, later: done',
    ),
  );
  writeFileSync(join(directory, 'map.yaml'), 'states: { asking: waiting }\n');
  writeFileSync(join(directory, 'wrong.yaml'), 'state: { asking: waiting }\n');
  const propose = (...more: string[]) =>
    warrant('agent', 'propose', 'refund.yaml', 'kit.mjs', 'next.yaml', '--actor', ACTOR, ...more);

  const impossible = await propose();
  expect(impossible.code).toBe(1);
  expect(impossible.out).toContain('illegal-configuration');
  expect((await propose('--migration', 'wrong.yaml')).code).toBe(2);
  expect((await warrant('agent', 'propose', 'refund.yaml', 'kit.mjs', 'next.yaml', '--actor', 'urn:x')).code).toBe(3);

  const proposed = await propose('--migration', 'map.yaml', '--rationale', 'let people put it off', '--json');
  expect(proposed.code).toBe(4);
  const { proposalId } = JSON.parse(proposed.out) as { readonly proposalId: string };
  expect((await warrant('review', 'show', proposalId)).out).toContain('let people put it off');
  expect((await warrant('agent', 'status', ACTOR)).out).toContain('asking waits for person');

  expect(await warrant('review', 'approve', proposalId, '--as', 'ann')).toMatchObject({ code: 0 });
  const next = await warrant('agent', 'run', 'refund.yaml', 'kit.mjs', '--actor', ACTOR);
  expect(next.out).toContain('waiting waits for person: approve, reject, later');
  expect((await warrant('agent', 'journal', ACTOR)).out).toContain('version accepted');
});

test('the chart of an agent is looked at as one: its decide states, calls and expressions', {
  timeout: 120_000,
}, async () => {
  const warrant = await workspace();
  const lint = async (yaml: string) => {
    writeFileSync(join(warrant.directory, 'one.yaml'), `format: warrant.chart/1\n${yaml}`);
    return warrant('chart', 'lint', 'one.yaml');
  };
  const state = (extensions: string, on: string) =>
    `states:\n  a: { extensions: [${extensions}], on: { ${on} } }\n  b: { type: final }\n`;
  const decide = '{ local: decide, attribute: rule }';
  const waits = await lint(state(decide, 'go: b'));
  expect(waits.code).toBe(1);
  expect(waits.out).toContain('one.yaml:3:6: decide-waits');
  for (const quiet of [
    state(`${decide}, { local: deadline, attribute: 5s }`, 'go: b'),
    state(decide, 'go: b, error.decide.invalid: b'),
    state(decide, 'go: { cond: vt_usage.calls < 3, target: b }, error.decide.invalid: b'),
  ])
    expect(await lint(quiet)).toMatchObject({ code: 0, out: 'Nothing to remark.\n' });
  for (const [yaml, code] of [
    [state("{ local: decide, attribute: '' }", 'go: b'), 'decide-binding'],
    [state(`${decide}, { local: deadline, attribute: soon }`, 'go: b'), 'decide-deadline'],
    [`states:\n  a: { type: parallel, extensions: [${decide}], states: { x: {} } }\n`, 'decide-state'],
    ["states:\n  a: { invoke: { type: 'vt:llm', id: i } }\n", 'llm-provider'],
  ] as const)
    expect((await lint(yaml)).out).toContain(code);
});

test('what is not there or wrong ends with its code', { timeout: 120_000 }, async () => {
  const warrant = await workspace();
  for (const words of [
    ['status', 'urn:x'],
    ['journal', 'urn:x'],
    ['graph', 'urn:x'],
    ['explain', 'refund.yaml', 'urn:x/decision/1.0'],
  ])
    expect((await warrant('agent', ...words)).code).toBe(3);
  expect((await warrant('agent', 'graph', 'urn:x', '--format', 'xml')).code).toBe(2);
  expect((await warrant('agent', 'run', 'refund.yaml', 'none.mjs')).code).toBe(2);
  expect((await warrant('agent', 'run', 'refund.yaml', 'kit.mjs', '--event', 'x={')).code).toBe(2);
  expect((await warrant('agent', 'status')).out).toContain('No agents.');
  expect((await warrant('agent', 'inbox')).code).toBe(0);
  expect((await warrant('agent', 'inbox', 'urn:x')).code).toBe(3);
});

test('a damaged run is named beside the others, and hides none of them', { timeout: 120_000 }, async () => {
  const warrant = await workspace();
  const run = (actor: string) => warrant('agent', 'run', 'refund.yaml', 'kit.mjs', '--actor', actor);
  await run(ACTOR);
  const opened = await openWorkspace({ directory: warrant.directory });
  const data = {
    input: { type: 'event', at: '2026-01-01T00:00:00.000Z', data: null },
    host: 'h',
    intents: [null],
    facts: [],
  };
  const entry = { id: 'x', type: 'agent.event', schemaVersion: 1, data };
  await opened.journal.append('agents/urn:agent:damaged', [entry], { expected: 'none' });
  await opened.close();
  const all = await warrant('agent', 'status');
  expect(all).toMatchObject({ code: 1, error: '' });
  expect(all.out).toContain(`${ACTOR}  [idle]`);
  expect(all.out).toContain("urn:agent:damaged  entry 1 of agents/urn:agent:damaged is no agent's");
  for (const words of [['status'], ['journal'], ['graph']])
    expect(await warrant('agent', ...words, 'urn:agent:damaged')).toMatchObject({
      code: 2,
      error: expect.stringMatching(/DECIDE_JOURNAL_DAMAGED\)\s*$/) as string,
    });
  expect((await run('urn:agent:later')).code).toBe(4);
});

test('a kit file that is none is told as what it is, before anything is recorded', { timeout: 120_000 }, async () => {
  const warrant = await workspace();
  for (const [index, [kit, told]] of (
    [
      ["throw new Error('no key')", 'cannot be loaded: Error: no key'],
      ['export default {', 'cannot be loaded: '],
      ["export default () => Promise.reject(new TypeError('no key'))", 'cannot be loaded: TypeError: no key'],
      ['export const kit = {}', 'exports no kit'],
      ['export default []', 'exports no kit'],
      ['export default { deciders: 5 }', "'deciders' that are no object"],
      ['export default { deciders: { rule: {} } }', "has 'rule' in 'deciders', which has no 'decide'"],
      ['export default { providers: { p: null } }', "has 'p' in 'providers', which has no 'complete'"],
      ['export default { tools: {} }', "'tools' that are no list"],
      ["export default { tools: [{ iri: 'urn:t:1' }] }", "'tools' that are no list of tools"],
      ["export default { secrets: { key: 'k' } }", "'secrets' that are no object of functions"],
    ] as const
  ).entries()) {
    const file = `kit-${index}.mjs`;
    writeFileSync(join(warrant.directory, file), kit);
    const ran = await warrant('agent', 'run', 'refund.yaml', file);
    expect({ kit, ...ran }).toMatchObject({ kit, code: 2, error: expect.stringContaining(told) as string });
    expect(ran.error).not.toContain('    at ');
  }
  expect((await warrant('agent', 'status')).out).toContain('No agents.');
});
