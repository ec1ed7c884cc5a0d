import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CelWorker, type CelWorkerOptions, createCelWorker } from '../src/cel/index.ts';
import { bundleChild } from './children.ts';

let entry: URL;
let workers: CelWorker[] = [];
beforeAll(async () => {
  entry = pathToFileURL(await bundleChild('../src/cel/worker-main'));
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  workers = [];
});
const create = (options: Partial<CelWorkerOptions> = {}): CelWorker => {
  const worker = createCelWorker({ variables: { ctx: 'map' }, entry, timeoutMs: 20_000, ...options });
  workers.push(worker);
  return worker;
};
/** Deliberately without the limits that would stop it at once. */
const unlimited = { iterations: 1e12, built: 1e12, dataValues: 1e9 };
const list = Array.from({ length: 3000 }, (_, index) => index);

describe('a worker for expressions', () => {
  it('evaluates, and hands on what failed', async () => {
    const worker = create();
    const results = await Promise.allSettled([
      worker.evaluate('ctx.steps + 1', { ctx: { steps: 2 } }),
      worker.evaluate('ctx.', { ctx: {} }),
      worker.evaluate('ctx.nothing', { ctx: {} }),
      worker.evaluate('ctx.list', { ctx: { list: ['a', null] } }),
      worker.evaluate('true', { ctx: { work: () => 1 } }),
    ]);
    expect(results).toMatchObject([
      { value: 3 },
      { reason: { code: 'CEL_PARSE', data: { start: 4 } } },
      { reason: { code: 'CEL_EVALUATION', data: { reason: 'no_such_key' } } },
      { value: ['a', null] },
      { reason: { code: 'CEL_DATA' } },
    ]);
  });

  it('ends what takes too long, and works again', async () => {
    const worker = create({ timeoutMs: 1500, limits: unlimited });
    const endless = 'ctx.list.all(a, ctx.list.all(b, ctx.list.all(c, true)))';
    await expect(worker.evaluate(endless, { ctx: { list } })).rejects.toMatchObject({
      code: 'CEL_TIMEOUT',
      data: { timeoutMs: 1500 },
    });
    const stop = new AbortController();
    const stopped = worker.evaluate(endless, { ctx: { list } }, { signal: stop.signal });
    const reason = new Error('enough');
    setTimeout(() => stop.abort(reason), 50);
    await expect(stopped).rejects.toBe(reason);
    await expect(worker.evaluate('1', {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const patient = create();
    expect(await patient.evaluate('1 + 1', {})).toBe(2);
  });

  it('ends what takes too much memory', async () => {
    const worker = create({ memoryMb: 32, timeoutMs: 60_000, limits: unlimited });
    const bomb = 'ctx.list.map(a, ctx.list.map(b, [a, b]))';
    await expect(worker.evaluate(bomb, { ctx: { list } })).rejects.toMatchObject({
      code: 'CEL_LIMIT',
      data: { limit: 'memory' },
    });
    expect(await worker.evaluate('ctx.list.size()', { ctx: { list } })).toBe(3000);
  });
});
