import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Chart,
  type ChartState,
  compileChart,
  explain,
  type Input,
  initial,
  renderExplanation,
  step,
} from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';
import { createSession } from '@warrant/chart/session';
import { readYamlDocument } from '@warrant/chart/yaml';
import { canonicalJson, type Json } from '@warrant/core';

export type Story = { readonly lines: readonly string[]; readonly live: string; readonly replayed: string };

export function readLock(): Chart {
  const { chart, placeOf } = readYamlDocument(readFileSync(resolve(import.meta.dirname, '../lock.yaml')));
  return compileChart(chart, { dataModel: celDataModel(), placeOf });
}

/** Lives through an evening at the door, writing every input down, then replays what was written. */
export function tell(): Story {
  const chart = readLock();
  const written: Input[] = [];
  const session = createSession({
    chart,
    onInput: (_, state, input) => {
      written.push(input);
      return state;
    },
  });
  const lines: string[] = [];
  const say = (what: string) => lines.push(`${what}: ${session.state().configuration.join()}`);
  say('evening');
  session.send({ name: 'code', data: 1234 });
  say('the right code');
  session.advance(5000);
  say('five seconds later');
  for (const code of [1, 2]) session.send({ name: 'code', data: code });
  say('two wrong codes');
  lines.push(renderExplanation(explain(chart, session.state(), { name: 'code', data: 3 })).split('\n')[0] ?? '');
  session.send({ name: 'code', data: 3 });
  say('a third');
  return { lines, live: textOf(session.state()), replayed: textOf(replay(chart, written)) };
}

function replay(chart: Chart, inputs: readonly Input[]): ChartState {
  const [first] = initial(chart, { sessionId: 's1', at: '2026-01-01T00:00:00.000Z' });
  return inputs.reduce((state, input) => step(chart, state, input)[0], first);
}

function textOf(state: ChartState): string {
  return canonicalJson(state as unknown as Json);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { lines, live, replayed } = tell();
  console.log([...lines, `the replay ends at the same bytes: ${live === replayed}`].join('\n'));
}
