import { describe, expect, test } from 'vitest';
import { celDataModel } from '../cel/index.ts';
import { compileChart } from '../compile.ts';
import { select } from '../look.ts';
import { enabledEvents } from '../offer.ts';
import { initial, step } from '../step.ts';
import { readYaml } from '../yaml/index.ts';
import { eventTypes, typeSchema } from './index.ts';

const at = '2026-01-01T00:00:00.000Z';

const declared = `
type Urgency = int;
type Ticket = { id: string, category: billing | tech | "two words" | 7, urgency: Urgency, tags?: string[], inner?: Ticket };
event open = Ticket;
event order.paid = { amount: float } | null;
event any.thing = { [string]: int };
`;

describe('a type', () => {
  const types = eventTypes()(declared);
  const ticket = { id: 'a', category: 'tech', urgency: 3 };
  test.each([
    ['open', ticket, []],
    ['open', { ...ticket, urgency: 3.0, tags: ['x'], inner: ticket }, []],
    ['open', { ...ticket, category: 'two words' }, []],
    ['open', { ...ticket, category: 7 }, []],
    ['open', { ...ticket, urgency: 3.5 }, ['/urgency']],
    ['open', { ...ticket, category: 'other' }, ['/category']],
    ['open', { ...ticket, tags: ['x', 1] }, ['/tags/1']],
    ['open', { ...ticket, more: 1 }, ['/more']],
    ['open', { ...ticket, inner: { id: 'b', category: 'tech' } }, ['/inner/urgency']],
    ['open', null, ['']],
    ['order.paid', null, []],
    ['order.paid', { amount: 1.5 }, []],
    ['any.thing', { a: 1, b: 2 }, []],
    ['any.thing', { a: 'x' }, ['/a']],
    ['unknown', { a: 'x' }, []],
  ] as const)('%s %j', (event, data, paths) => {
    expect(types.violations(event, data)).toEqual(paths);
  });
  test('is JSON Schema 2020-12', () => {
    expect(typeSchema('{ category: billing | tech | other, urgency: int }')).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { category: { enum: ['billing', 'tech', 'other'] }, urgency: { type: 'integer' } },
      required: ['category', 'urgency'],
      additionalProperties: false,
    });
    expect(typeSchema('Order[]', 'type Order = { id: string };')).toMatchObject({
      items: { $ref: '#/$defs/Order' },
      $defs: { Order: { type: 'object' } },
    });
  });
});

test.each([
  ['event x = Missing;', "1:11: the type 'Missing' is not declared"],
  ['type Order = int;\nevent x = { a: Ordr };', "2:16: the type 'Ordr' is not declared: did you mean 'Order'?"],
  ['event x = strng;', "1:11: there is no type 'strng': did you mean 'string'?"],
  ['type lower = int;', '1:6: the name of a type begins with a capital letter'],
  ['type A = int; type A = int;', "1:20: 'A' is declared twice"],
  ['type A = B; type B = A | int;', 'defined by nothing but itself'],
  ['event x = { a: int, a: int };', 'is there twice'],
  ['event x = { a int };', "1:15: expected ':', found int"],
  ['event x = int event y = int', "1:15: expected ';'"],
  ['event x = &;', '1:11: this sign has no meaning here'],
  [`event x = ${'['.repeat(5000)}`, 'nested too deeply'],
  ['event x =', 'expected a type, found the end'],
])('%s is refused with its place', (source, message) => {
  expect(() => eventTypes()(source)).toThrow(message);
});

const typed = `format: warrant.chart/1
data: { seen: [] }
extensions:
  - local: types
    attribute: "event go = { n: int }; event made = { n: int }; event done.invoke.child = { n: int };"
states:
  a:
    on:
      go: { do: [ send: { event: made, params: [ { name: n, expr: ev.data.n } ] } ] }
      bad.raise: { do: [ raise: made ] }
      bad.send: { do: [ send: { event: made, params: [ { name: n, expr: "'x'" } ] } ] }
      bad.later: { do: [ send: { event: made, delay: 1s } ] }
      error.execution: { do: [ assign: { location: seen, expr: "ctx.seen + [ev.data]" } ] }
      made: b
      done.invoke.child: b
  b: { type: final }
`;

describe('an event of a typed chart', () => {
  const chart = compileChart(readYaml(typed), { dataModel: celDataModel(), types: eventTypes() });
  const [first] = initial(chart, { sessionId: 's', at });
  const after = (name: string, data: { readonly n?: number } | null = null) =>
    step(chart, first, { at, event: { name, data } });
  const error = (event: string, path: string) => ({ seen: [{ reason: 'event-type', event, paths: [path] }] });

  test('that is of its type is delivered', () => {
    expect(after('go', { n: 1 })[0]).toMatchObject({ status: 'done' });
  });
  test.each([
    ['from outside', 'go', error('go', '')],
    ['raised', 'bad.raise', error('made', '')],
    ['sent', 'bad.send', error('made', '/n')],
    ['from what was invoked', 'done.invoke.child', error('done.invoke.child', '')],
  ])('%s that is not is an error in its place', (_, name, data) => {
    expect(after(name)[0]).toMatchObject({ configuration: ['a'], data });
  });
  test('sent later is checked when it is due', () => {
    const [waiting] = after('bad.later');
    const [timer] = waiting.timers;
    expect(waiting.data).toEqual({ seen: [] });
    const [late] = step(chart, waiting, { at, timer: timer?.id ?? '' });
    expect(late.data).toMatchObject(error('made', ''));
  });
  test('is judged alike by a look, and offered with its schema', () => {
    expect(select(chart, first, { name: 'go', data: { n: 'x' } })).toEqual({
      transitions: [],
      errors: [],
      violations: ['/n'],
    });
    expect(enabledEvents(chart, first)[0]).toMatchObject({
      event: 'go',
      conditional: true,
      schema: { properties: { n: { type: 'integer' } } },
    });
  });
  test('needs a compiler for its types', () => {
    expect(() => compileChart(readYaml(typed), { dataModel: celDataModel() })).toThrow(
      'no compiler for them was given',
    );
  });
});
