import type { Embedder } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namedSpeakers, withoutNames } from './named-speakers.ts';
import { memoryFor } from './testing/setup.ts';
import { wordsOf } from './words.ts';

const of = (...speakers: readonly (string | null)[]) => speakers.map((speaker) => ({ record: { speaker } }));

test('speakers are named by whole words, in any case, each once', () => {
  const records = of('Ida Berg', 'ida berg', 'Ben', null, '!', 'Zo\u00eb');
  expect(namedSpeakers(records, 'Did IDA  BERG meet ben?')).toEqual(['Ida Berg', 'Ben']);
  expect(namedSpeakers(records, 'Ida and Benjamin')).toEqual([]);
  expect(namedSpeakers(records, 'zo\u00eb!')).toEqual(['Zo\u00eb']);
  expect(namedSpeakers([], 'Ben')).toEqual([]);
});

describe('a text without names', () => {
  test.each([
    ['When did Ben paddle to Ben\u2019s island?', ['Ben'], 'When did paddle to island?'],
    ['what does IDA BERG like', ['Ida Berg'], 'what does like'],
    ['Benjamin met ben', ['Ben'], 'Benjamin met'],
    ['Ben?', ['Ben'], 'Ben?'],
    ["C++'s standard", ['C++', 'a|b'], 'standard'],
  ])('%j without %j', (text, names, rest) => {
    expect(withoutNames(text, names)).toBe(rest);
  });

  test('keeps all other words, whatever the names are', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }),
        fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
        (words, names) => {
          const text = words.join(' ');
          const left = wordsOf(withoutNames(text, names));
          const said = new Set(names.flatMap((name) => wordsOf(name)));
          expect(words.filter((one) => !said.has(one) && one !== 's')).toEqual(
            left.filter((one) => !said.has(one) && one !== 's'),
          );
        },
      ),
    );
  });
});

describe('what an embedder is given', () => {
  const open = (factors?: { readonly speaker: number }) => {
    const texts: string[] = [];
    const embedder: Embedder = {
      name: 'counting',
      version: '1',
      dimensions: 2,
      embed: async (given) => {
        texts.push(...given);
        return given.map((text) => Float32Array.of(1, text.length));
      },
    };
    const { memory } = memoryFor({ embedder, ...(factors === undefined ? {} : { factors }) });
    return { texts, agent: memory.agent('a') };
  };
  const turn = { key: 'memory/episodic/1', value: 'I have bought a kayak', session: 's', speaker: 'Ida', sequence: 1 };

  test('is what was said, without who said it and where; elsewhere the key speaks too', async () => {
    const { texts, agent } = open();
    await agent.write(turn);
    await agent.write({ key: 'memory/user/favourite-colour', value: 'yellow', entities: ['paint'] });
    expect(texts).toEqual(['I have bought a kayak', 'yellow\nmemory user favourite colour\npaint']);
  });

  test('is a query without the speakers whom it names', async () => {
    const { texts, agent } = open();
    await agent.write(turn);
    await agent.retrieve({ query: 'What did Ida buy in spring?' });
    await agent.retrieve({ query: 'What did Ben buy in spring?' });
    await agent.retrieve({ query: 'Ida and kayaks?' });
    expect(texts.slice(1)).toEqual([
      'What did Ida buy in spring?',
      'What did buy in spring?',
      'What did Ben buy in spring?',
      'Ida and kayaks?',
    ]);
  });

  test('is the query as it is where speakers do not count', async () => {
    const { texts, agent } = open({ speaker: 0 });
    await agent.write(turn);
    await agent.retrieve({ query: 'What did Ida buy in spring?' });
    expect(texts.slice(1)).toEqual(['What did Ida buy in spring?']);
  });
});
