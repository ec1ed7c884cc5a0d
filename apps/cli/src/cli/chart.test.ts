import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartDigest } from '@warrant/chart';
import { expect, test } from 'vitest';
import { type Ran, runWarrant } from '../../test/warrant.ts';
import { readChartFile } from '../chart/load-chart.ts';

const LOCK = `format: warrant.chart/1
name: lock
data: { tries: 0 }
states:
  locked:
    on:
      code:
        - { cond: ev.data == 1234, target: open }
        - { do: [ assign: { location: tries, expr: ctx.tries + 1 } ] }
  open:
    entry: [ send: { event: timeout, delay: 5s } ]
    on: { timeout: locked, break: broken }
  broken: { type: final }
`;

const warrant = (directory: string, words: readonly string[], typed: readonly string[] = []): Promise<Ran> =>
  runWarrant(directory, words, { typed });

function folder(files: Readonly<Record<string, string>> = { 'lock.yaml': LOCK }): string {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-chart-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

test('a chart runs on typed lines, says why nothing moves, and lets time pass', async () => {
  const ran = await warrant(
    folder(),
    ['chart', 'run', 'lock.yaml'],
    ['opne', 'code 1', 'data', 'code 1234', '+5s', 'events', 'code {'],
  );
  expect(ran).toEqual({
    code: 0,
    error: '',
    out: [
      '[locked]',
      "'opne' moves nothing. Active: locked.",
      '  No transition of an active state waits for it. They wait for code.',
      '[locked]',
      '[locked]',
      '{"tries":1}',
      '[open]  next timer 2026-01-01T00:00:05.000Z',
      '[locked]',
      'code (depends on its data)',
      "the data of 'code' are no JSON",
      '',
    ].join('\n'),
  });
  const json = await warrant(folder(), ['chart', 'run', 'lock.yaml', '--json', '--events', 'code 1234', 'break']);
  expect(JSON.parse(json.out)).toMatchObject({ turns: [{ configuration: ['open'] }, {}], state: { status: 'done' } });
});

test('faults and lint findings have file, line and column', async () => {
  const directory = folder({
    'bad.yaml': 'format: warrant.chart/1\nstates:\n  a: { on: { x: b } }\n',
    'odd.yaml': 'format: warrant.chart/1\nstates:\n  a: { on: { x: b } }\n  b: {}\n',
    'final.scxml':
      '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">\n <parallel id="p">\n  <state id="a"/>\n  <final id="f"/>\n </parallel>\n</scxml>',
    'lock.yaml': LOCK,
  });
  expect(await warrant(directory, ['chart', 'lint', 'bad.yaml', 'odd.yaml', 'final.scxml'])).toMatchObject({
    code: 1,
    out: [
      "bad.yaml:3:17: unknown-target: there is no state 'b'",
      "odd.yaml:4:6: dead-end: nothing leads out of 'b': it is no final, so the chart waits there for ever",
      'final.scxml:4:3: nesting: a parallel has no final of its own',
      '',
    ].join('\n'),
  });
  expect(await warrant(directory, ['chart', 'lint', 'lock.yaml'])).toMatchObject({
    code: 0,
    out: 'Nothing to remark.\n',
  });
});

test('faults of reading hide none of those that compiling finds', async () => {
  const directory = folder({
    'a.scxml':
      '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" bogus="1">\n <state id="a">\n  <onentry><param name="x" expr="1"/></onentry>\n  <transition event="e" target="nowhere" cond="ctx.("/>\n </state>\n <state id="a"/>\n</scxml>',
    'a.yaml': 'format: warrant.chart/1\nbogus: 1\nstates:\n  a:\n    on: { x: b }\n',
  });
  const { code, out } = await warrant(directory, ['chart', 'lint', 'a.scxml', 'a.yaml']);
  expect([code, out.split('\n').map((line) => line.split(': ').slice(0, 2).join(' '))]).toEqual([
    1,
    [
      'a.scxml:1:1 unknown-attribute',
      'a.scxml:3:12 unknown-element',
      'a.scxml:6:2 duplicate-id',
      'a.scxml:4:3 expression',
      'a.scxml:4:3 unknown-target',
      'a.yaml:2:1 unknown-key',
      'a.yaml:5:14 unknown-target',
      '',
    ],
  ]);
  const run = await warrant(directory, ['chart', 'run', 'a.yaml', '--events', 'x']);
  expect([run.code, run.error]).toEqual([expect.any(Number), expect.stringMatching(/bogus[\s\S]*no state 'b'/)]);
});

test('a step goes on from a state in a file', async () => {
  const directory = folder();
  const first = await warrant(directory, [
    'chart',
    'step',
    'lock.yaml',
    'code',
    '1234',
    '--at',
    '2026-05-01T10:00:00.000Z',
  ]);
  expect(JSON.parse(first.out)).toMatchObject({
    state: { configuration: ['open'], timers: [{ due: '2026-05-01T10:00:05.000Z' }] },
    effects: [{ type: 'schedule' }],
  });
  writeFileSync(join(directory, 'state.json'), first.out);
  const next = await warrant(directory, ['chart', 'step', 'lock.yaml', 'break', '--state', 'state.json']);
  expect(JSON.parse(next.out)).toMatchObject({ state: { status: 'done' } });
  writeFileSync(join(directory, 'wrong.json'), '{"a":1}');
  expect(await warrant(directory, ['chart', 'step', 'lock.yaml', 'break', '--state', 'wrong.json'])).toMatchObject({
    code: 2,
  });
});

test('an explanation answers for a state after some events', async () => {
  expect(await warrant(folder(), ['chart', 'explain', 'lock.yaml', 'code', '7'])).toMatchObject({
    code: 0,
    out: expect.stringContaining(
      'locked#0 to open is not taken: its condition is false.\n    if ev.data == 1234\n      ev.data is 7',
    ),
  });
  expect(await warrant(folder(), ['chart', 'explain', 'lock.yaml', 'code', '7', '--after', 'code 1234'])).toMatchObject(
    {
      code: 1,
      out: expect.stringContaining("'code' moves nothing. Active: open."),
    },
  );
});

test.each([
  ['{"a": ', '1:7', 'syntax'],
  ['{\n "a": x}', '2:7', 'syntax'],
  ['{\n "a" 1}', '2:6', 'syntax'],
  [Buffer.from([0x22, 0xff, 0x22]), '1:1', 'not-utf8'],
  [' '.repeat(17 * 1024 * 1024), '1:1', 'too-large'],
])('a chart that is no JSON is a fault with its place', async (text, place, code) => {
  const directory = folder();
  writeFileSync(join(directory, 'chart.json'), text);
  expect(await warrant(directory, ['chart', 'lint', 'chart.json'])).toMatchObject({
    code: 1,
    out: expect.stringContaining(`chart.json:${place}: ${code}: `),
  });
});

test('a chart converts between its forms without a change of its digest', async () => {
  const directory = folder();
  const digest = chartDigest(readChartFile(join(directory, 'lock.yaml')).chart);
  for (const [form, file] of [
    ['scxml', 'lock.scxml'],
    ['json', 'lock.json'],
    ['vertep', 'again.yaml'],
  ] as const) {
    const { out } = await warrant(directory, ['chart', 'convert', 'lock.yaml', '--to', form]);
    writeFileSync(join(directory, file), out);
    expect(chartDigest(readChartFile(join(directory, file)).chart)).toBe(digest);
  }
  expect(await warrant(directory, ['chart', 'convert', 'lock.yaml', '--to', 'xml'])).toMatchObject({ code: 2 });
});

test('a chart is drawn, with what it reads from its folder only', async () => {
  const directory = folder();
  expect(await warrant(directory, ['chart', 'diagram', 'lock.yaml', '--highlight', 'open'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^stateDiagram-v2[\s\S]*class s2 active/),
  });
  writeFileSync(
    join(directory, 'out.yaml'),
    'format: warrant.chart/1\ndata: [ { id: x, src: ../secret } ]\nstates: { a: { type: final } }\n',
  );
  expect(await warrant(directory, ['chart', 'diagram', 'out.yaml'])).toMatchObject({
    error: expect.stringContaining('outside of the folder'),
  });
});
