import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Json } from '@warrant/core';
import type { Outside } from './kit.ts';

type Mark = { readonly what: 'begun' | 'ended'; readonly tool: string; readonly key: string; readonly result?: Json };

/** The outside world in a file, so that it outlives a process that is killed. */
export function fileOutside(file: string, point: Outside['point']): Outside {
  const mark = (one: Mark) => appendFileSync(file, `${JSON.stringify(one)}\n`);
  return {
    point,
    begun: (tool, key) => mark({ what: 'begun', tool, key }),
    ended: (tool, key, result) => mark({ what: 'ended', tool, key, result }),
    find: (key) => readMarks(file).find((one) => one.what === 'ended' && one.key === key)?.result,
  };
}

export function readMarks(file: string): readonly Mark[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Mark);
}
