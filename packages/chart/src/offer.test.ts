import { expect, test } from 'vitest';
import { celDataModel } from './cel/index.ts';
import { compileChart } from './compile.ts';
import { enabledEvents, type OfferOptions } from './offer.ts';
import { initial } from './step.ts';
import { eventTypes } from './types/index.ts';
import { readYaml } from './yaml/index.ts';

/** What is offered at the start; each time of a chart of its own, for offers are prepared once a chart. */
function offered(text: string, options: OfferOptions = {}) {
  const chart = compileChart(readYaml(`format: warrant.chart/1\n${text}`), {
    dataModel: celDataModel({ variables: ['more'] }),
    types: eventTypes(),
    lenient: true,
  });
  const [state] = initial(chart, { sessionId: 's', at: '2026-01-01T00:00:00.000Z' });
  return enabledEvents(chart, state, options);
}

function named(text: string, options?: OfferOptions) {
  return offered(text, options).map(({ event, conditional }) => `${event}${conditional ? '?' : ''}`);
}

const decide = `data: { limit: 1 }
states:
  decide:
    on:
      approve: { cond: ev.data.n < ctx.limit, target: done }
      named: { cond: ev.name == 'named', target: done }
      never: { cond: ctx.limit > 5, target: done }
      broken: { cond: ctx.nothing == 1, target: done }
      error.execution: done
      done.invoke.x: done
      vt.decide.none: done
      any.*: done
  done: { type: final }
`;

test.each<[OfferOptions, readonly string[]]>([
  [{}, ['approve?', 'named']],
  [{ candidates: ['any.thing', 'other', 'error.x'] }, ['approve?', 'named', 'any.thing']],
  [{ state: 'decide' }, ['approve?', 'named']],
  [{ state: 'done' }, []],
  [{ state: 'nowhere' }, []],
])('with %j an offer names %j', (options, names) => {
  expect(named(decide, options)).toEqual(names);
});

const regions = `states:
  p:
    type: parallel
    on: { e: { target: q }, up: { do: [ log: up ] } }
    states:
      a: { states: { a1: { on: { e: { cond: more.ok, target: a2 }, x.: a2 } }, a2: {} } }
      b: {}
  q: {}
`;

test('an offer names the transitions it takes, those of states around too, by what the variables say', () => {
  const took = (ok: boolean, state?: string) =>
    offered(regions, {
      variables: { more: { ok } },
      transitions: true,
      ...(state === undefined ? {} : { state }),
    }).map(({ event, transitions }) => `${event} ${transitions?.join()}`);
  expect(took(true)).toEqual(['e a1#0', 'up p#1', 'x a1#1']);
  expect(took(false)).toEqual(['e p#0', 'up p#1', 'x a1#1']);
  expect(took(true, 'b')).toEqual(['up p#1']);
  expect(offered(regions).some((one) => 'transitions' in one)).toBe(false);
});

test('a state with an active final only offers what the states around it wait for', () => {
  expect(named('states: { s: { on: { again: s }, states: { f: { type: final } } } }\n')).toEqual(['again']);
});

test('an offer names the schema of an event, and is conditional where it must carry something', () => {
  const text = `extensions: [ { local: types, attribute: "event vote = { by: string }; event note = string | null;" } ]
states: { a: { on: { vote: a, note: a, plain: a } } }
`;
  const [vote, note, plain] = offered(text);
  expect(vote).toMatchObject({ event: 'vote', conditional: true, schema: { required: ['by'] } });
  expect(note).toMatchObject({ event: 'note', conditional: false, schema: expect.anything() });
  expect(plain).toStrictEqual({ event: 'plain', conditional: false });
});

test('nothing is offered by a chart that is at its end or was stopped', () => {
  expect(offered('states: { a: { type: final } }\n', { candidates: ['e'] })).toEqual([]);
  expect(offered('states: { a: { always: a, on: { e: a } } }\n')).toEqual([]);
});

test('a star makes no names', () => {
  expect(named('states: { a: { on: { "*": a } } }\n')).toEqual([]);
  expect(named('states: { a: { on: { "*": a } } }\n', { candidates: ['e'] })).toEqual(['e']);
});

test('an inner transition that leads nowhere takes the place of an outer one', () => {
  const text = 'states: { s: { on: { f: { do: [] } }, states: { x: { on: { f: { do: [] } } } } } }\n';
  expect(offered(text, { transitions: true })).toMatchObject([{ transitions: ['x#0'] }]);
});

test('other candidates make another offer of the same chart and state', () => {
  const chart = compileChart(readYaml('format: warrant.chart/1\nstates: { a: { on: { "*": a, e: a } } }\n'), {
    dataModel: celDataModel(),
  });
  const [state] = initial(chart, { sessionId: 's', at: '2026-01-01T00:00:00.000Z' });
  const names = (...candidates: readonly string[]) =>
    enabledEvents(chart, state, { candidates }).map(({ event }) => event);
  expect([names(), names('x'), names('y', 'x'), names()]).toEqual([['e'], ['e', 'x'], ['e', 'y', 'x'], ['e']]);
});
