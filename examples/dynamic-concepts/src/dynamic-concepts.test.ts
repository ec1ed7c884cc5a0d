import { expect, it } from 'vitest';
import { openChangeTools } from './change-tool.ts';

it('checks what each call is about', async () => {
  const log: string[] = [];
  const { change, traces } = await openChangeTools(log);
  expect((await change('read', 'a.txt')).type).toBe('executed');
  const unknown = await change('encrypt', 'a.txt');
  expect(unknown).toMatchObject({ type: 'ungrounded', verdict: { grounding: { resolved: ['encrypt', 'file'] } } });
  expect(log).toEqual(['read a.txt']);
  expect(traces.map((trace) => trace.extraction)).toEqual(['dynamic', 'dynamic']);
  expect(traces[0]?.guarantee).toMatch(/^weaker/);
});

it('is as good as its extractor, where a narrow tool is as good as its list', async () => {
  const log: string[] = [];
  const { readFile, traces } = await openChangeTools(log);
  expect((await readFile('a.txt')).type).toBe('executed');
  expect(traces).toMatchObject([{ extraction: 'static', call: { tool: 'readFile', arguments: { path: 'a.txt' } } }]);
  // @ts-expect-error: the parameters of the function are those of the guarded tool.
  expect((await readFile(7)).type).toBe('executed');
});
