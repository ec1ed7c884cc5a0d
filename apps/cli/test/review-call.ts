import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Ran, runWarrant } from './warrant.ts';

export const REPOSITORY = resolve(import.meta.dirname, '../../..');
export const FIXTURES = resolve(REPOSITORY, process.env['WARRANT_FIXTURES'] ?? '../shared/fixtures');

/** Runs `warrant review` with these words, as the reviewer `mira`, with lines typed at its questions. */
export async function review(
  directory: string,
  words: readonly string[],
  how: { readonly typed?: readonly string[]; readonly colour?: boolean; readonly as?: string } = {},
): Promise<Ran> {
  return runWarrant(directory, ['review', ...words], {
    typed: how.typed ?? [],
    colour: how.colour ?? false,
    environment: { VOUCH_USER: how.as ?? 'mira' },
  });
}

export function folder(): string {
  return mkdtempSync(join(tmpdir(), 'warrant-cli-review-'));
}

/** A copy of the recorded knowledge base, whose four waiting proposals these are. */
export function orchard(policy = ''): string {
  const directory = folder();
  cpSync(join(FIXTURES, 'vouch-kb/orchard/.vouch'), join(directory, '.vouch'), { recursive: true });
  if (policy !== '') {
    const config = readFileSync(join(directory, '.vouch/config.yaml'), 'utf8');
    writeFileSync(join(directory, '.vouch/config.yaml'), config.replace('review:\n', `review:\n${policy}`));
  }
  return directory;
}

export const RELATION = '20261129-202126-8a1f5653';
export const DELETE = '20261129-202128-4f57c545';
export const ENTITY = '20261129-202129-11b76aa9';
export const RULES = `  policy:
    rules:
    - {name: no-guesses, when: {max_confidence: 0.6}, action: block, reason: Too weak.}
    - {name: tools, when: {kind: entity}, action: auto_approve}
`;

export function json(ran: Ran): unknown {
  return JSON.parse(ran.out);
}
