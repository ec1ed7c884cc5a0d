import { expect, test } from 'vitest';
import { memoryFor } from '../testing/setup.ts';
import { isStopPhrase } from './stop-phrases.ts';

test.each([
  'ok',
  'Yes, please go ahead!',
  'sounds good',
  'that’s fine, thanks',
  'now do it please',
  'yes yes',
  'Go on then',
])('%s asks for nothing', (query) => {
  expect(isStopPhrase(query)).toBe(true);
});

test.each([
  'go ahead with the orders model',
  'please',
  'do it for the crane',
  'what is good tea',
  '',
  'thanks to whom?',
])('%s may ask for something', (query) => {
  expect(isStopPhrase(query)).toBe(false);
});

test('a phrase that lets somebody go on is not embedded', async () => {
  const embedded: string[] = [];
  const embedder = {
    name: 'test',
    version: '1',
    dimensions: 1,
    embed: async (texts: readonly string[]) => {
      embedded.push(...texts);
      return texts.map(() => Float32Array.from([1]));
    },
  };
  const { memory } = memoryFor({ embedder });
  await memory.agent('a').retrieve({ query: 'yes please go ahead' });
  await memory.agent('a').retrieve({ query: 'two words' });
  expect(embedded).toEqual([]);
  await memory.agent('a').retrieve({ query: 'where is the crane' });
  expect(embedded).toEqual(['where is the crane']);
});
