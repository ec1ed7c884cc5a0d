import { expect, test } from 'vitest';
import { faultsOf } from './check.ts';
import { runDemo } from './demo.ts';

test('the agent does what is permitted, and nothing else', async () => {
  const said: string[] = [];
  const result = await runDemo((text) => said.push(text));
  expect(faultsOf(result)).toEqual([]);
  expect(said.join('\n')).toContain('protected-stays');
});
