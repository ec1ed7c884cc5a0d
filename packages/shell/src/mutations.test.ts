import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeCommand } from './index.ts';
import { lines } from './testing/lines.ts';

const root = resolve(import.meta.dirname, '../../..');
const fixtures = join(resolve(root, process.env['WARRANT_FIXTURES'] ?? '../shared/fixtures'), 'shell/commands.jsonl');
const soak = process.env['WARRANT_SOAK'] !== undefined;
const count = soak ? 20_000 : 3_000;

const PIECES = [
  ...'(){}[]"\'`;&|<>\\#*?!=~$ \n\t\r\0'.split(''),
  ...[
    '$(',
    '${',
    '$((',
    '))',
    '((',
    '[[ ',
    ' ]]',
    '<<E',
    '<<-E\n',
    '<<<',
    '<(',
    '>(',
    '&&',
    '||',
    ';;',
    '|&',
    '>&',
    '{1..9}',
    '@P}',
    '${!',
  ],
  ...[
    'if ',
    ' then ',
    ' fi',
    'while ',
    ' do ',
    ' done',
    'case x in ',
    'esac',
    'function f ',
    'time ',
    'coproc ',
    'select x in ',
  ],
  ...[
    'sudo ',
    'sh -c ',
    'eval ',
    'xargs ',
    'find . -exec ',
    'ssh h ',
    'docker run ',
    'env -S',
    'parallel {} ::: ',
    'trap ',
  ],
  '\uD800',
  '\u202E',
  'é',
];

/** A generator of its own with a fixed seed, so that a failing line can be had again. */
function randomizer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

function mutate(line: string, other: string, random: (below: number) => number): string {
  let text = line;
  for (let round = random(4); round >= 0; round -= 1) {
    const at = random(text.length + 1);
    const kind = random(5);
    if (kind === 0) text = text.slice(0, at) + text.slice(at + 1 + random(4));
    else if (kind === 1)
      text = text.slice(0, at) + other.slice(random(other.length), random(other.length + 1)) + text.slice(at);
    else if (kind === 2) text = text.slice(0, at) + text.slice(at).repeat(2);
    else text = text.slice(0, at) + (PIECES[random(PIECES.length)] ?? '') + text.slice(at);
  }
  return text.slice(0, 4000);
}

function corpus(): readonly string[] {
  const own = fc.sample(lines, { numRuns: 300, seed: 11 });
  if (!existsSync(fixtures)) return own;
  const recorded = readFileSync(fixtures, 'utf8').split('\n').filter(Boolean);
  return [...own, ...recorded.map((line) => (JSON.parse(line) as { command: string }).command), ...realScripts()];
}

/** Pieces of one to twelve lines from the scripts in the folder that WARRANT_SHELL_CORPUS names. */
function realScripts(): readonly string[] {
  const folder = process.env['WARRANT_SHELL_CORPUS'];
  if (folder === undefined) return [];
  return readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8').split('\n');
    const pieces: string[] = [];
    for (let at = 0, size = 1; at < text.length; at += size, size = (size % 12) + 1) {
      pieces.push(text.slice(at, at + size).join('\n'));
    }
    return pieces.filter((piece) => piece.trim() !== '');
  });
}

describe('mutated lines', () => {
  it(`${count} of them get an answer in time, and no exception`, () => {
    const random = randomizer(42);
    const all = corpus();
    const slow: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const line = mutate(all[random(all.length)] ?? '', all[random(all.length)] ?? '', random);
      if (takesLong(line)) slow.push(line);
    }
    expect(slow).toEqual([]);
  });
});

/** In the soak: counts time on the processor, since other work on the machine stretches any other; a slow line gets two more runs. */
function takesLong(line: string): boolean {
  for (let round = 0; round < (soak ? 3 : 1); round += 1) {
    const start = process.cpuUsage();
    const { class: kind } = analyzeCommand(line, { directory: '/w', home: '/h' });
    const { user, system } = process.cpuUsage(start);
    expect(['read', 'write', 'unknown']).toContain(kind);
    if (!soak || user + system < 50_000) return false;
  }
  return true;
}

describe('large inputs', () => {
  it.each([
    ['words', `echo ${'a '.repeat(30_000)}`],
    ['substitutions side by side', 'echo $(ls) '.repeat(5000)],
    ['nested substitutions', `${'$('.repeat(200)}ls${')'.repeat(200)}`],
    ['eval in eval', `${'eval '.repeat(10_000)}ls`],
    ['braces', `echo ${'{a,b}'.repeat(5000)}`],
    ['arithmetic', `echo $((${'1+'.repeat(20_000)}1))`],
    ['parentheses', `echo $((${'('.repeat(3000)}1${')'.repeat(3000)}))`],
    ['assignments', 'x=1; echo $((x)); '.repeat(3000)],
    ['one name many times', `((${'x=x+1,'.repeat(5000)}x=1))`],
    ['a long pipeline', 'ls | '.repeat(10_000)],
    ['quotes', `'${"a''".repeat(15_000)}'`],
    ['cd after cd', 'cd a; '.repeat(5000)],
    ['functions', 'f() { ls; }; f; '.repeat(3000)],
    ['subshells after functions', `${'f() { ls; }; (f); '.repeat(2500)}`],
    ['an alternation of cds', 'cd a || cd b; rm x; '.repeat(2500)],
  ])('%s come to an end', (_, line) => {
    analyzeCommand(line.slice(0, 65_536), { directory: '/w' });
  });
});
