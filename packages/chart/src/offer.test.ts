import { expect, test } from 'vitest';
import { celDataModel } from './cel/index.ts';
import { compileChart } from './compile.ts';
import { enabledEvents, type OfferOptions } from './offer.ts';
import { initial } from './step.ts';
import { readYaml } from './yaml/index.ts';

const chart = compileChart(
  readYaml(`format: warrant.chart/1
data: { limit: 1 }
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
`),
  { dataModel: celDataModel() },
);
const [state] = initial(chart, { sessionId: 's', at: '2026-01-01T00:00:00.000Z' });

test.each<[OfferOptions, readonly string[]]>([
  [{}, ['approve?', 'named']],
  [{ candidates: ['any.thing', 'other', 'error.x'] }, ['approve?', 'named', 'any.thing']],
  [{ state: 'decide' }, ['approve?', 'named']],
  [{ state: 'done' }, []],
])('with %j an offer names %j', (options, names) => {
  const offer = enabledEvents(chart, state, options);
  expect(offer.map(({ event, conditional }) => `${event}${conditional ? '?' : ''}`)).toEqual(names);
});
