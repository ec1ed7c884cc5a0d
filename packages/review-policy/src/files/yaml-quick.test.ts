import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type JsonObject, toWellFormed } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../yaml/document.ts';
import { readQuickly } from './yaml-quick.ts';
import { toYaml } from './yaml-text.ts';

const word = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      'yes',
      'No',
      'on',
      '12:30',
      '0777',
      '1e3',
      '-',
      '~',
      'null',
      '2026-01-01',
      "it's",
      'a: b',
      'a #b',
      ' x',
      'x ',
      'y',
      '=',
      '<<',
      '0x1f',
      '1_000',
      '.5',
      '+1',
      '- a',
      '',
      '\u0085',
      '\ufeff',
      '\u2028',
    ),
  )
  .map(toWellFormed);
const key = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
const { value } = fc.letrec<{ value: JsonObject[string] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    word,
    fc.constantFrom(null, true, false, 0, 7, -3, 0.92, 1e-7, 1e21),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(key, word), tie('value'), { maxKeys: 3 }),
  ),
}));
const mapping = fc.dictionary(key, value, { minKeys: 1, maxKeys: 6 }) as fc.Arbitrary<JsonObject>;

describe('yaml of records', () => {
  it('reads back what it writes', () => {
    fc.assert(
      fc.property(mapping, (given) => {
        const text = toYaml(given);
        expect(parseYaml(text)).toEqual({ type: 'document', value: given });
      }),
      { numRuns: 500 },
    );
  });

  it('reads quickly what the full parser reads, wherever it answers', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          mapping.map(toYaml),
          fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n')),
        ),
        (text) => {
          const quick = readQuickly(text);
          if (quick !== undefined) expect(parseYaml(text)).toEqual({ type: 'document', value: quick.value });
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('answers quickly for most records of a knowledge base', () => {
    const folder = resolve(import.meta.dirname, '../../../../../shared/fixtures/vouch-kb/orchard/.vouch/decided');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const quick = texts.filter((text) => readQuickly(text) !== undefined);
    expect(quick.length).toBeGreaterThan(texts.length / 2);
    for (const text of quick) expect(parseYaml(text)).toEqual({ type: 'document', value: readQuickly(text)?.value });
  });

  it.skipIf(!hasPython())('is read alike by the YAML 1.1 reader of Python', () => {
    const given = fc.sample(mapping, { numRuns: 200, seed: 7 });
    const script = 'import sys,json,yaml\nfor t in json.load(sys.stdin): print(json.dumps(yaml.safe_load(t)))';
    const out = execFileSync('python3', ['-c', script], { input: JSON.stringify(given.map(toYaml)), encoding: 'utf8' });
    expect(
      out
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text) as unknown),
    ).toEqual(given);
  });
});

const line = fc
  .tuple(
    fc.constantFrom('', '  ', '    '),
    fc.constantFrom('a:', 'b:', '-', 'c'),
    fc.constantFrom('', ' x', ' 1', " 'q'", ' y: z', ' #c', ' []', ' -1', ' 0x1', ' yes', ' [a]'),
  )
  .map((parts) => parts.join(''));

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import yaml'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
