import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { chartArbitrary } from '../test/arbitraries.ts';
import { loadMermaid } from '../test/mermaid.ts';
import { celDataModel } from './cel/index.ts';
import { compileChart } from './compile.ts';
import { toMermaid } from './mermaid.ts';
import { initial } from './step.ts';
import { eventTypes } from './types/index.ts';
import { readYaml } from './yaml/index.ts';

const options = { dataModel: celDataModel(), types: eventTypes(), lenient: true };
const at = '2026-01-01T00:00:00.000Z';
const root = join(import.meta.dirname, '../../..');
const header = 'format: warrant.chart/1';

/** Files below a folder; what is installed or built is passed over. */
function below(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (/^(node_modules|dist|[.].*)$/.test(entry.name)) return [];
    const name = join(folder, entry.name);
    return entry.isDirectory() ? below(name) : [name];
  });
}

/** Every chart in YAML that the guide of charts, their README and files of the examples show. */
function shown(): readonly (readonly [string, string])[] {
  const files = below('examples').filter((file) => /[.]ya?ml$/.test(file));
  return ['docs/guide/chart.md', 'packages/chart/README.md', ...files.toSorted()].flatMap((file) =>
    chartsIn(readFileSync(join(root, file), 'utf8')).map((text, index) => [`${file} ${index}`, text] as const),
  );
}

/** Texts that begin with the header and end with a fence, a backtick or the file. */
function chartsIn(text: string): readonly string[] {
  return text
    .split(`${header}\n`)
    .slice(1)
    .map((rest) => `${header}\n${rest.split('`')[0]}`)
    .filter((one) => one.includes('states:'));
}

let accept: Awaited<ReturnType<typeof loadMermaid>>;

// Its parser takes its time: a quarter of a second for a large diagram, more on a busy machine.
describe('the parser of Mermaid', { timeout: process.env['WARRANT_SOAK'] === undefined ? 240_000 : 3_600_000 }, () => {
  beforeAll(async () => {
    accept = await loadMermaid();
  }, 240_000);

  test('is asked about real charts', () => {
    expect(shown().length).toBeGreaterThan(4);
  });

  test('refuses what is no diagram', async () => {
    await expect(accept('stateDiagram-v2\n  state "a as b {\n')).rejects.toThrow();
  });

  test.each(shown())('accepts the diagram of %s', async (_, text) => {
    const chart = compileChart(readYaml(text), options);
    const [state] = initial(chart, { sessionId: 's', at });
    await accept(toMermaid(chart));
    await accept(toMermaid(chart, { highlight: state.configuration }));
  });

  test('accepts the diagram of every generated chart', async () => {
    await fc.assert(
      fc.asyncProperty(chartArbitrary, async (ir) => {
        const chart = compileChart(ir, options);
        const [state] = initial(chart, { sessionId: 's', at });
        await accept(toMermaid(chart, { highlight: state.configuration }));
      }),
      { numRuns: process.env['WARRANT_SOAK'] === undefined ? 15 : 1000 },
    );
  });

  test('accepts names, events and conditions whatever they are made of', async () => {
    const word = fc.oneof(
      fc.constantFrom(
        'end',
        'state',
        'note',
        '[*]',
        '-->',
        ':::',
        '"',
        '%%',
        '}',
        '<<fork>>',
        'direction',
        '--',
        '#59;',
        'A:B',
        "x'y",
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => /^[^\s#]\S*$/.test(text)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(word, { minLength: 2, maxLength: 4 }),
        word,
        fc.string({ maxLength: 20 }),
        async (ids, event, cond) => {
          const [first, ...others] = ids.map((id) => (/^[^\s#]\S*$/.test(id) ? id : `s${id.length}`));
          fc.pre(new Set([first, ...others]).size === others.length + 1);
          const states = [first as string, ...others].map((id) => ({
            type: 'state' as const,
            id,
            transitions: [
              {
                events: [event],
                cond: JSON.stringify(cond),
                targets: others.slice(0, 1),
                type: 'external' as const,
                content: [],
              },
            ],
            onEntry: [],
            onExit: [],
            data: [],
            invokes: [],
            states: [],
          }));
          const chart = compileChart({ datamodel: 'cel', binding: 'early', data: [], states }, options);
          await accept(toMermaid(chart, { highlight: ids }));
        },
      ),
      { numRuns: process.env['WARRANT_SOAK'] === undefined ? 50 : 2000 },
    );
  });
});
