import { chartDigest } from '@warrant/chart';
import { readYaml } from '@warrant/chart/yaml';
import { describe, expect, test } from 'vitest';
import { event, type Machine, start } from './support.ts';

const T = 'urn:tool:t';
const AGENT = (bounds = '') => `
data: { plan: '', seen: [], heard: [] }
states:
  idle: { on: { vt.plan.proposed: { target: running, do: [{ assign: { location: plan, expr: ev.data.plan } }] } } }
  running:
    extensions: [{ local: grant, attributes: { targets: '#_parent', tools: '${T}' } }${bounds}]
    invoke: { type: 'vt:plan', id: p, content: { expr: ctx.plan }, params: [{ name: call, expr: "'call-7'" }] }
    on:
      done.invoke.p: { target: idle, do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data]' } }] }
      error.plan: { target: idle, do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data.class]' } }] }
      hello: { do: [{ assign: { location: heard, expr: 'ctx.heard + [ev.name]' } }] }
      stop: idle
`;
const BOOKING = `vertep: 1
name: booking
datamodel: cel
extensions:
  - { local: result, attribute: "{ booked: bool }" }
states:
  book:
    entry:
      - send: { event: hello, target: "#_parent" }
      - send: { event: confirmed }
    on: { confirmed: done }
  done:
    type: final
    donedata: { params: [ { name: booked, expr: "true" } ] }
`;

function proposed(plan: unknown, bounds = ''): Machine {
  const one = start(AGENT(bounds), { tools: [T], grant: { targets: [], tools: [T], deciders: [], functions: [] } });
  one.take(event('vt.plan.proposed', { plan } as never));
  return one;
}

describe('a plan', () => {
  test('runs as a child, speaks to its parent and ends with a result of its declared type', () => {
    const one = proposed(BOOKING);
    expect(one.data('heard')).toEqual(['hello']);
    expect(one.data('seen')).toEqual([{ booked: true }]);
    expect(one.state.sessions).toHaveLength(1);
    expect(one.facts).toContainEqual({
      type: 'plan',
      outcome: 'accepted',
      effect: '2.0',
      plan: chartDigest(readYaml(BOOKING)),
      call: 'call-7',
    });
  });

  const chart = (body: string, more = '') => `format: warrant.chart/1\n${more}states:\n${body}`;
  test.each([
    ['no text', 7, 'parse'],
    ['JSON-LD', '{"@context": {}}', 'parse'],
    ['Turtle', '@prefix a: <urn:a> . a:b a a:c .', 'parse'],
    ['broken XML', '<scxml', 'parse'],
    ['a target that is not there', chart('  a: { on: { x: nowhere } }'), 'invalid'],
    [
      'an address outside its grant',
      chart("  a: { entry: [{ send: { event: x, target: 'urn:agent:other' } }] }"),
      'invalid',
    ],
    [
      'a parent that it does not ask for',
      chart(
        "  a: { entry: [{ send: { event: x, target: '#_parent' } }] }",
        `extensions: [{ local: grantTools, attribute: '*' }]\n`,
      ),
      'invalid',
    ],
    [
      'a parent that it asks for when it asks for nothing',
      chart(
        "  a: { entry: [{ send: { event: x, target: '#_parent' } }] }",
        'extensions: [{ local: grant, attributes: {} }]\n',
      ),
      'invalid',
    ],
    [
      'a decider outside its grant',
      chart('  a: { extensions: [{ local: decide, attribute: d }], on: { x: b } }\n  b: {}'),
      'invalid',
    ],
    ['a plan of its own', chart("  a: { invoke: { type: 'vt:plan', content: { value: x } } }"), 'invalid'],
    ['a function outside its grant', chart("  a: { entry: [{ send: { event: x, type: 'urn:f' } }] }"), 'invalid'],
    [
      'a result of another type',
      chart('  a: { type: final }', "extensions: [{ local: result, attribute: '{ n: int }' }]\n"),
      'result',
    ],
    [
      'a type that cannot be read',
      chart('  a: { type: final }', "extensions: [{ local: result, attribute: '{ n: ' }]\n"),
      'invalid',
    ],
    ['no end', chart('  a: { entry: [{ send: { event: x } }], on: { x: a } }'), 'bounds'],
  ])('with %s is refused', (_, plan, failure) => {
    const one = proposed(plan);
    expect(one.data('seen')).toEqual([failure]);
    expect(one.active()).toEqual(['idle']);
    expect(one.state.sessions).toHaveLength(1);
  });

  test('has no more than the state that runs it was given for it, and without a grant there nothing', () => {
    const bare = AGENT().replace(/extensions: .*\n/, '\n');
    const one = start(bare, { tools: [T], grant: { targets: [], tools: [T], deciders: [], functions: [] } });
    one.take(event('vt.plan.proposed', { plan: BOOKING } as never));
    expect(one.data('seen')).toEqual(['invalid']);
    const greedy = chart(
      `  a: { entry: [{ send: { event: x, target: 'urn:tool:other' } }] }`,
      "extensions: [{ local: grant, attributes: { tools: 'urn:tool:other' } }]\n",
    );
    expect(proposed(greedy).data('seen')).toEqual(['invalid']);
  });

  const WAITING = chart('  a: { on: { x: b } }\n  b: { type: final }');
  test('does not outlive the state that invoked it', () => {
    const one = proposed(WAITING);
    expect(one.state.sessions).toHaveLength(2);
    one.take(event('stop'));
    expect(one.state.sessions).toHaveLength(1);
  });

  test('ends when its time is over', () => {
    const one = proposed(WAITING, ', { local: maxDuration, attribute: 5s }');
    const timer = { type: 'timer', data: { timer: 'plan:2.0' } } as const;
    one.take({ ...timer, at: '2026-01-01T00:00:04.999Z' });
    expect(one.data('seen')).toEqual([]);
    one.take({ ...timer, at: '2026-01-01T00:00:05.000Z' });
    expect(one.data('seen')).toEqual(['bounds']);
  });

  test('sends no more than it may', () => {
    const sends = `  a: { entry: [${Array.from({ length: 5 }, () => `{ send: { event: x, target: '${T}' } }`).join(', ')}] }`;
    const granted = "extensions: [{ local: grant, attributes: { tools: '*' } }]\n";
    const one = proposed(chart(sends, granted), ', { local: maxSends, attribute: "4" }');
    expect(one.data('seen')).toEqual(['bounds']);
    expect(one.state.calls).toHaveLength(4);
    expect(proposed(chart(sends, granted), ', { local: maxSends, attribute: "5" }').state.calls).toHaveLength(5);
  });
});
