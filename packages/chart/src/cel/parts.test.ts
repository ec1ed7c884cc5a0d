import { expect, test } from 'vitest';
import { partsOf } from './parts.ts';

test.each([
  ['ctx.n < 3', ['ctx.n']],
  ['ctx.n < 3 && ev.data.ok', ['ctx.n < 3', 'ctx.n', 'ev.data.ok']],
  ['!(ctx.a || ctx.b == "x || y")', ['ctx.a || ctx.b == "x || y"', 'ctx.a', 'ctx.b == "x || y"', 'ctx.b']],
  ['ctx.list.exists(x, x > 1)', ['ctx.list.exists(x, x > 1)']],
  ["In('a') && ctx.m['k'] in ctx.list", ["In('a')", "ctx.m['k'] in ctx.list", "ctx.m['k']", 'ctx.list']],
  ['true', []],
  ['(ctx.a)', ['ctx.a']],
])('%s', (source, parts) => {
  expect(partsOf(source)).toEqual(parts);
});
