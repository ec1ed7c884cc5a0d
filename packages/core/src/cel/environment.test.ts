import { describe, expect, it } from 'vitest';
import type { WarrantError } from '../error.ts';
import type { Json } from '../json.ts';
import { type CelEnvironmentOptions, type CelVariables, createCelEnvironment } from './index.ts';

const data = {
  call: { tool: 'write', arguments: { path: '/srv/protected/a', count: 3 }, labels: { '/to': { trust: 'web' } } },
  ctx: { steps: 2, zero: 0, price: 10, list: [1, 2, 3], missing: null },
  ev: { name: 'go' },
};
const variables: CelEnvironmentOptions['variables'] = { call: 'map', ctx: 'map', ev: 'dyn' };

const evaluate = (source: string, values: CelVariables = data, options: Partial<CelEnvironmentOptions> = {}): Json =>
  createCelEnvironment({ variables, ...options })
    .compile(source)
    .evaluate(values);
const failure = (
  source: string,
  values: CelVariables = data,
  options: Partial<CelEnvironmentOptions> = {},
): Pick<WarrantError, 'code' | 'data' | 'message' | 'cause'> => {
  try {
    evaluate(source, values, options);
  } catch (error) {
    return error as WarrantError;
  }
  throw new Error(`evaluated: ${source}`);
};
const many = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

describe('variables', () => {
  it('are those that were declared, and no others', () => {
    expect(failure('other.thing')).toMatchObject({ code: 'CEL_TYPE', data: { start: 0, end: 5 } });
    expect(failure('ctx.steps', { call: {} })).toMatchObject({ code: 'CEL_EVALUATION' });
    expect(failure('ctx.steps', { ctx: [] })).toMatchObject({
      code: 'CEL_EVALUATION',
      data: { reason: 'variable_type_mismatch' },
    });
  });

  it('cannot have names that the host knows', () => {
    for (const name of ['constructor', '__proto__', 'cel', 'a-b', 'in']) {
      const given = JSON.parse(`{${JSON.stringify(name)}: "dyn"}`) as { [key: string]: 'dyn' };
      expect(() => createCelEnvironment({ variables: given })).toThrow(
        expect.objectContaining({ code: 'CEL_ENVIRONMENT' }),
      );
    }
  });

  it('never resolve to properties of the host, also through names that are missing', () => {
    const environment = createCelEnvironment({ variables: { toString: 'dyn', valueOf: 'dyn' } as never });
    expect(() => environment.compile('toString').evaluate({})).toThrow(
      expect.objectContaining({ code: 'CEL_EVALUATION' }),
    );
    expect(environment.compile('toString').evaluate({ toString: 1 })).toBe(1);
  });

  it('mix types in list and map literals', () => {
    expect(evaluate('[1, "a", true, null]')).toEqual([1, 'a', true, null]);
    expect(evaluate('{"a": 1, "b": "c"}')).toEqual({ a: 1, b: 'c' });
  });
});

describe('numbers', () => {
  it.each([
    ['ctx.steps + 1', 3],
    ['1 + ctx.steps', 3],
    ['ctx.steps - 1', 1],
    ['5 - ctx.steps', 3],
    ['ctx.steps * 3', 6],
    ['3 * ctx.steps', 6],
    ['ctx.steps / 4', 0.5],
    ['1 / ctx.steps', 0.5],
    ['ctx.steps % 2', 0],
    ['7 % ctx.steps', 1],
    ['7.5 % ctx.steps', 1.5],
    ['ctx.price * 1.5', 15],
    ['1 == 1.0', true],
    ['1.0 == 1', true],
    ['1 != 1.5', true],
    ['ctx.steps == 2', true],
    ['2 == ctx.steps', true],
    ['ctx.steps in [1, 2]', true],
    ['ctx.list == [1, 2, 3]', true],
    ['ctx.steps < 3 && 3 > ctx.steps', true],
    ['-ctx.steps', -2],
    ['1 - (2 - 3)', 2],
    ['0.0000000001 * 2.0', 2e-10],
    ['ctx.list[ctx.steps]', 3],
    ['size(ctx.list) + ctx.steps', 5],
  ])('computes %s', (source, expected) => {
    expect(evaluate(source)).toEqual(expected);
  });

  it('come back as JSON numbers, nested ones too', () => {
    expect(evaluate('{"a": [1, {"b": 2u}], "c": ctx.steps}')).toEqual({ a: [1, { b: 2 }], c: 2 });
    expect(Object.is(evaluate('ctx.zero * -1.0'), 0)).toBe(true);
  });

  it.each([
    ['9007199254740993', 'CEL_RESULT'],
    ['[1, -9007199254740992]', 'CEL_RESULT'],
    ['ctx.steps / ctx.zero', 'CEL_RESULT'],
    ['ctx.zero / ctx.zero', 'CEL_RESULT'],
    ['b"abc"', 'CEL_RESULT'],
    ['timestamp("2026-01-01T00:00:00Z")', 'CEL_RESULT'],
    ['duration("1s")', 'CEL_RESULT'],
    ['type(1)', 'CEL_RESULT'],
    ['ctx.steps % ctx.zero', 'CEL_EVALUATION'],
    ['1 % 0', 'CEL_EVALUATION'],
    ['9223372036854775807 + 1', 'CEL_EVALUATION'],
  ])('refuses the result of %s', (source, code) => {
    expect(failure(source)).toMatchObject({ code });
  });
});

describe('regular expressions', () => {
  it('match in linear time', () => {
    const text = `${'a'.repeat(50_000)}!`;
    expect(evaluate('ev.text.matches("^(a+)+$")', { ev: { text } })).toBe(false);
    expect(evaluate('ev.text.matches(ev.pattern)', { ev: { text, pattern: '(a|a)*$' } })).toBe(true);
    expect(evaluate('matches(ev.text, "(a*)*!")', { ev: { text } })).toBe(true);
  });

  it('are replaced wherever they stand', () => {
    expect(evaluate('(call.tool + "x") . matches("^writex$") ? ["b"].exists(x, x.matches("b")) : false')).toBe(true);
    expect(evaluate('!call.arguments.path.matches("^/tmp")')).toBe(true);
  });

  it('refuse what RE2 does not know when they are compiled, and when they are evaluated', () => {
    expect(failure('call.tool.matches("(?=a)")')).toMatchObject({ code: 'CEL_PARSE', data: { start: 18, end: 25 } });
    expect(failure('call.tool.matches(ev.p)', { ...data, ev: { p: '(' } })).toMatchObject({
      code: 'CEL_EVALUATION',
      data: { reason: 'invalid_regular_expression' },
    });
    expect(failure('call.tool.matches(ev.p)', { ...data, ev: { p: 'a'.repeat(1001) } })).toMatchObject({
      code: 'CEL_LIMIT',
      data: { limit: 'pattern' },
    });
    expect(failure('call.arguments.count.matches("a")')).toMatchObject({ code: 'CEL_EVALUATION' });
  });
});

describe('limits', () => {
  it('hold sources short, shallow and few-noded', () => {
    expect(failure(`"${'a'.repeat(9000)}" == ""`)).toMatchObject({
      code: 'CEL_LIMIT',
      data: { limit: 'sourceLength' },
    });
    expect(failure(`${'!'.repeat(10_000)}true`)).toMatchObject({ code: 'CEL_LIMIT' });
    const deep = { limits: { sourceLength: 100_000, nodes: 100_000 } };
    expect(failure(`${'!'.repeat(50_000)}true`, data, deep)).toMatchObject({
      code: 'CEL_LIMIT',
      data: { limit: 'depth' },
    });
    expect(failure(`${'('.repeat(100)}1${')'.repeat(100)}`)).toMatchObject({
      code: 'CEL_LIMIT',
      data: { limit: 'depth' },
    });
    expect(failure(`[${many(1500).join()}]`)).toMatchObject({
      code: 'CEL_LIMIT',
      data: { limit: 'elements', max: 1000 },
    });
  });

  it('hold comprehensions to a nesting, cel.bind among them', () => {
    const nested = (depth: number): string => (depth === 0 ? '1' : `[1].map(x${depth}, ${nested(depth - 1)})`);
    expect(evaluate(nested(4))).toEqual([[[[1]]]]);
    expect(failure(nested(5))).toMatchObject({ code: 'CEL_LIMIT', data: { limit: 'nesting' } });
    expect(failure(`cel.bind(y, 1, ${nested(4)})`)).toMatchObject({ code: 'CEL_LIMIT', data: { limit: 'nesting' } });
  });

  it.each([
    'ctx.list.map(x, ctx.list.map(y, ctx.list.map(z, z)))',
    'ctx.list.exists(x, ctx.list.exists(y, ctx.list.exists(z, false)))',
    'ctx.list.all(x, ctx.list.filter(y, ctx.list.all(z, true)).size() > 0)',
    'ctx.list.exists(x, ctx.list.exists(y, 5000.0 in ctx.list))',
    'ctx.list.all(x, ctx.list.all(y, true)) || true',
    '[1, 2].exists(z, z == 2 || ctx.list.all(x, ctx.list.all(y, true)))',
    'true || ctx.list.all(x, ctx.list.all(y, true))',
  ])('hold the iterations of %s, whatever absorbs the error', (source) => {
    const list = many(1000);
    if (source.startsWith('true')) expect(evaluate(source, { ctx: { list } })).toBe(true);
    else {
      expect(failure(source, { ctx: { list } })).toMatchObject({
        code: 'CEL_LIMIT',
        data: { limit: 'iterations', max: 100_000, reason: 'cel.cost' },
      });
    }
  });

  it('count anew for each evaluation, also after one that failed', () => {
    const expression = createCelEnvironment({ variables, limits: { iterations: 3 } }).compile('ctx.list.map(x, x)');
    for (const count of [3, 4, 3, 4, 2]) {
      const run = (): Json => expression.evaluate({ ctx: { list: many(count) } });
      if (count > 3) expect(run).toThrow(expect.objectContaining({ code: 'CEL_LIMIT' }));
      else expect(run()).toHaveLength(count);
    }
  });

  it('keep counting when the first evaluation fails in the body', () => {
    const expression = createCelEnvironment({ variables, limits: { iterations: 3 } }).compile(
      'ctx.list.map(x, x + ev)',
    );
    expect(() => expression.evaluate({ ctx: { list: ['a'] }, ev: 1 })).toThrow(
      expect.objectContaining({ code: 'CEL_EVALUATION' }),
    );
    expect(() => expression.evaluate({ ctx: { list: many(5) }, ev: 1 })).toThrow(
      expect.objectContaining({ code: 'CEL_LIMIT' }),
    );
  });

  it('let a host count iterations itself and stop them', () => {
    let seen = 0;
    const onIteration = (): void => {
      seen += 1;
      if (seen === 3) throw new Error('enough');
    };
    expect(failure('ctx.list.exists(x, false)', data, { onIteration })).toMatchObject({ code: 'CEL_EVALUATION' });
    expect(seen).toBe(3);
  });

  it('hold what plus builds', () => {
    const bomb = 'cel.bind(a, ctx.list + ctx.list + ctx.list, cel.bind(b, a + a + a + a, b + b + b + b)).size()';
    expect(failure(bomb, { ctx: { list: many(100_000) } })).toMatchObject({
      code: 'CEL_LIMIT',
      data: { limit: 'built' },
    });
    expect(failure('ev + ev', { ev: 'a'.repeat(600_000) })).toMatchObject({
      code: 'CEL_LIMIT',
      data: { limit: 'built' },
    });
  });

  it('hold the size and depth of the data that is read', () => {
    expect(failure('ctx.list', { ctx: { list: many(300_000) } })).toMatchObject({ data: { limit: 'dataValues' } });
    expect(failure('ev', { ev: 'a'.repeat(17_000_000) })).toMatchObject({ data: { limit: 'dataCharacters' } });
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(failure('ev', { ev: deep })).toMatchObject({ data: { limit: 'dataDepth' } });
    expect(evaluate('ctx.steps', { ctx: { steps: 1 }, ev: deep })).toBe(1);
  });
});

describe('data', () => {
  it('may have members named like those of the host', () => {
    const hostile = JSON.parse(
      '{"constructor": "c", "__proto__": {"polluted": true}, "toString": 1, "in": {"constructor": [2]}}',
    );
    expect(
      evaluate('[ev.constructor, ev["__proto__"].polluted, ev.toString, ev["in"].constructor[0]]', { ev: hostile }),
    ).toEqual(['c', true, 1, 2]);
    expect(evaluate('ev', { ev: hostile })).toEqual(hostile);
    expect(evaluate('has(ev.constructor) && "__proto__" in ev', { ev: hostile })).toBe(true);
    expect(evaluate('ev[0] == ev[1]', { ev: JSON.parse('[{"__proto__": {}}, {"x": 1}]') })).toBe(false);
  });

  it('never shows properties of the host', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'length']) {
      expect(evaluate(`has(ctx.${name}) || "${name}" in ctx`)).toBe(false);
      expect(failure(`ctx.${name}`)).toMatchObject({ code: 'CEL_EVALUATION', data: { reason: 'no_such_key' } });
      expect(failure(`call.tool.${name}`)).toMatchObject({ code: 'CEL_EVALUATION' });
    }
    expect(failure('ctx["__proto__"]')).toMatchObject({ code: 'CEL_EVALUATION' });
  });

  it.each([[() => 1], [undefined], [Number.NaN], [new Date()], [new Map()], [1n], [Symbol('s')]])(
    'refuses %s',
    (value) => {
      expect(failure('ev', { ev: [value] })).toMatchObject({ code: 'CEL_DATA' });
    },
  );
});

describe('functions', () => {
  it('are synchronous', () => {
    expect(() => createCelEnvironment({ variables, functions: { 'f(): bool': async () => true } })).toThrow(
      expect.objectContaining({ code: 'CEL_ENVIRONMENT' }),
    );
    const later = { 'f(): bool': () => Promise.reject(new Error('late')) };
    expect(failure('f()', data, { functions: later })).toMatchObject({
      code: 'CEL_EVALUATION',
      data: { reason: 'asynchronous_function' },
    });
  });

  it('are added by signature and their failures become errors without words', () => {
    const functions = {
      'twice(int): int': (value: bigint) => value * 2n,
      'fails(string): bool': (value: string) => {
        throw new Error(value);
      },
    };
    expect(evaluate('twice(2)', data, { functions })).toBe(4);
    expect(failure('fails("secret")', data, { functions })).toMatchObject({ data: { reason: 'function_failed' } });
  });
});

describe('errors', () => {
  it.each([
    ['ctx.steps +', 'CEL_PARSE'],
    ['call.tool + 1', 'CEL_EVALUATION'],
    ['"a" + 1', 'CEL_TYPE'],
    ['ctx.list[7]', 'CEL_EVALUATION'],
    ['ctx.nothing', 'CEL_EVALUATION'],
  ])('give code and range for %s', (source, code) => {
    const error = failure(source);
    expect(error.code).toBe(code);
    expect(error.data['start']).toBeTypeOf('number');
    expect(error.data['end']).toBeTypeOf('number');
  });

  it('never hold values of the data', () => {
    const secret = 'hunter2hunter2';
    const values = { ev: { text: secret, [secret]: 1, list: [secret] } };
    for (const source of [
      'bool(ev.text)',
      'int(ev.text)',
      'ev[ev.text].x',
      'ev.list[ev.text]',
      'timestamp(ev.text)',
      'ev.text.matches(ev.text + "(")',
      'ev.text + 1',
      'within(ev.text, "/")',
      'duration(ev.text)',
      'ev.list.map(x, int(x))',
      'ev.nothing[ev.text]',
    ]) {
      const error = failure(source, values);
      expect(`${error.message} ${JSON.stringify(error.data)} ${String(error.cause)}`).not.toContain(secret);
    }
  });
});

describe('reads', () => {
  it.each([
    ['ctx.steps > 1', ['ctx'], ['ctx.steps']],
    ['call.arguments.path.startsWith("/") && ev.name == "go"', ['call', 'ev'], ['call.arguments.path', 'ev.name']],
    ['ctx.list.exists(ev, ev > 1)', ['ctx'], ['ctx.list']],
    ['ev.list.exists(ev, ev.x)', ['ev'], ['ev.list']],
    ['cel.bind(ev, ctx.steps, ev + 1)', ['ctx'], ['ctx.steps']],
    ['cel.bind(x, ev.name, x)', ['ev'], ['ev.name']],
    ['call.labels["/to"].trust == "web"', ['call'], ['call.labels']],
    ['has(ev.name)', ['ev'], ['ev.name']],
    ['size({ctx.steps: [ev]}) == 1', ['ctx', 'ev'], ['ctx.steps', 'ev']],
    ['true', [], []],
  ])('of %s', (source, names, reads) => {
    const expression = createCelEnvironment({ variables }).compile(source);
    expect(expression.variables).toEqual(names);
    expect(expression.reads).toEqual(reads);
  });

  it.each([
    ["call['tool'] == 'a' && call[r'tool'] == 'b'", ['call.tool']],
    ["call['arguments'].path == call.arguments['path']", ['call.arguments.path']],
    [
      "has(call.labels) && 'tool' in call && !('x' in call.arguments)",
      ['call.arguments.x', 'call.labels', 'call.tool'],
    ],
    ["ctx.list.exists(one, call['tool'] == one)", ['call.tool', 'ctx.list']],
    ["ctx.list.exists(call, call['tool'] == 1)", ['ctx.list']],
    [
      "cel.bind(it, call.arguments, it['path'] == it.other)",
      ['call.arguments', 'call.arguments.other', 'call.arguments.path'],
    ],
    ["ctx.list[0].name == ev[call.tool] && ctx[ev.name + 'x'] == 1", ['call.tool', 'ctx', 'ctx.list', 'ev', 'ev.name']],
  ])('are written out as paths in %s', (source, paths) => {
    const written = createCelEnvironment({ variables }).compile(source).paths();
    expect(written.map((path) => path.join('.')).sort()).toEqual(paths);
  });

  it('are all that an evaluation needs', () => {
    expect(evaluate('ctx.list.exists(ev, ev > 1)', { ctx: { list: [2] } })).toBe(true);
  });
});

describe('conditions', () => {
  const condition = (source: string): boolean =>
    createCelEnvironment({ variables }).compileCondition(source).evaluate(data);
  it('are booleans', () => {
    expect(condition('call.tool == "write"')).toBe(true);
    expect(condition('has(ctx.nothing) && ctx.nothing')).toBe(false);
    expect(() => condition('1')).toThrow(expect.objectContaining({ code: 'CEL_TYPE' }));
    expect(() => condition('ctx.steps')).toThrow(
      expect.objectContaining({ data: { reason: 'not_a_boolean', start: 0, end: 9 } }),
    );
    expect(() => condition('ctx.missing')).toThrow(expect.objectContaining({ code: 'CEL_EVALUATION' }));
  });
});

describe('within', () => {
  it.each([
    ['/srv/protected', '/srv/protected', true],
    ['/srv/protected/a/b', '/srv/protected', true],
    ['/srv/protected-old', '/srv/protected', false],
    ['/srv/../srv/protected/x', '/srv/protected', true],
    ['/srv/protected/../open', '/srv/protected', false],
    ['//srv///protected//x/.', '/srv/protected/', true],
    ['/srv/protected/..', '/srv/protected', false],
    ['/../../srv/protected', '/srv/protected', true],
    ['/srv/./protected/...', '/srv/protected', true],
    ['/srv', '/srv/protected', false],
    ['/anything', '/', true],
    ['/', '/', true],
    ['/', '/srv', false],
    ['/srv/Protected', '/srv/protected', false],
  ])('%s in %s: %s', (path, root, expected) => {
    expect(evaluate('within(ev.path, ev.root)', { ev: { path, root } })).toBe(expected);
  });

  it.each([['srv/protected'], [''], ['./srv'], ['~/x'], ['C:\\srv'], ['/srv\0/x'], [1], [null], [['/srv']]])(
    'is an error for %j',
    (path) => {
      expect(failure('within(ev, "/srv")', { ev: path })).toMatchObject({ code: 'CEL_EVALUATION' });
    },
  );
});
