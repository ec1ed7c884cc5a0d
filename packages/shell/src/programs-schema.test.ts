import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lintPrograms, programsSchema } from './index.ts';

const accepts = new Ajv2020({ strict: false }).compile(programsSchema);

const flag = fc.oneof({ weight: 4, arbitrary: fc.boolean() }, fc.constantFrom('yes', null, 1));
const options = fc.oneof(
  fc.constantFrom('', '-o=:write', '-o,--output=:write -k?', '-v  -q', ' -a ', '-', '-x:delete', '-m,-n:network'),
  fc.constantFrom('o=', '-o=:explode', '-o:write:read', '-o,', '-o,p', '-a\t-b', '-a\n', '-o==', '-o=?', '-f:data', 7),
);
const fields = {
  class: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('read', 'write', 'unknown') }, fc.constantFrom('safe', null)),
  operands: fc.constantFrom('reads', 'writes', 'deletes', 'pattern', 'copy', 'move', 'link', 'somewhere', 'all', 3),
  options,
  strict: flag,
  network: flag,
};
const subcommand = fc.record({ ...fields, rule: fc.constant('git') }, { requiredKeys: ['class'] });
const named = <T>(entry: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.dictionary(fc.constantFrom('aaa-tool', 'b.tool', '_c', 'x y', './d', '', '-e', 'f\n', 'g+1'), entry, {
    maxKeys: 3,
  });
const entry = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ...fields, subcommands: named(subcommand) }, { requiredKeys: ['class'] }) },
  { weight: 2, arbitrary: fc.record({ class: fields.class, options, more: fc.constant(1) }, { requiredKeys: [] }) },
  fc.constantFrom(null, 'read', []),
);

describe('the schema of programs', () => {
  it('accepts what the lint accepts, names of the built-in table apart', () => {
    let accepted = 0;
    fc.assert(
      fc.property(named(entry), (table) => {
        const issues = lintPrograms(table);
        if (issues.length === 0) accepted += 1;
        expect({ table, accepts: accepts(table), issues }).toEqual({ table, accepts: issues.length === 0, issues });
      }),
      { numRuns: 1500, seed: 5 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('takes an object only', () => {
    for (const table of [[], null, 'x', 7]) expect([accepts(table), lintPrograms(table).length]).toEqual([false, 1]);
  });
});
