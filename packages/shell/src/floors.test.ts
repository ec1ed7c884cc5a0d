import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyzeCommand } from './index.ts';

const root = resolve(import.meta.dirname, '../../..');
const file = join(resolve(root, process.env['WARRANT_FIXTURES'] ?? '../shared/fixtures'), 'shell/commands.jsonl');

type Recorded = { readonly command: string; readonly expect: { readonly class: string } };

/** Answering `unknown` to everything would keep every law of safety, so the known answers are counted. */
describe.skipIf(!existsSync(file))('what is known of the recorded lines', () => {
  const recorded = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Recorded)
    : [];

  it.each([
    ['read', 79],
    ['write', 152],
  ] as const)('holds every %s, at least %i', (kind, floor) => {
    const expected = recorded.filter((one) => one.expect.class === kind);
    const found = expected.filter(({ command }) => analyzeCommand(command).class === kind);
    expect(found).toHaveLength(expected.length);
    expect(found.length).toBeGreaterThanOrEqual(floor);
  });
});
