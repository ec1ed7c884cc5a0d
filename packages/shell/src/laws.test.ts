import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Analysis, analyzeCommand } from './index.ts';
import { doubleQuoted, lines, singleQuoted } from './testing/lines.ts';

const runs = process.env['WARRANT_SOAK'] === undefined ? 120 : 5000;
const rank = { read: 0, write: 1, unknown: 2 } as const;

function paths(analysis: Analysis, kind: 'writes' | 'deletes'): readonly (string | null)[] {
  return analysis[kind].map(({ path }) => path);
}

/** What `before` does, `after` does too, and it is no better. */
function expectKept(before: Analysis, after: Analysis): void {
  if (before.parse === 'error' || after.parse === 'error') return;
  expect(rank[after.class]).toBeGreaterThanOrEqual(rank[before.class]);
  for (const kind of ['writes', 'deletes'] as const) {
    expect(paths(after, kind)).toEqual(expect.arrayContaining([...paths(before, kind)]));
  }
  if (before.network === 'yes') expect(after.network).toBe('yes');
}

const WRAPPERS: Readonly<Record<string, (line: string) => string>> = {
  'sh -c': (line) => `sh -c ${singleQuoted(line)}`,
  'bash -c in double quotes': (line) => `bash -c ${doubleQuoted(line)}`,
  eval: (line) => `eval ${singleQuoted(line)}`,
  'a subshell': (line) => `(${line}\n)`,
  'a group': (line) => `{ ${line}\n}`,
  if: (line) => `if true; then ${line}\nfi`,
  'a substitution': (line) => `x=$(${line}\n)`,
  'a substitution in a word': (line) => `echo "a$(${line}\n)b"`,
  'a pipe': (line) => `{ ${line}\n} | cat`,
  'a here-document': (line) => `sh <<'END_OF_LINE'\n${line}\nEND_OF_LINE\n`,
  'a here-string': (line) => `bash <<< ${singleQuoted(line)}`,
  'a function': (line) => `f() { ${line}\n}`,
  'a loop': (line) => `while false; do ${line}\ndone`,
  'the background': (line) => `{ ${line}\n} &`,
  sudo: (line) => `sudo sh -c ${singleQuoted(line)}`,
  trap: (line) => `trap ${singleQuoted(line)} EXIT`,
};

describe('wrapping a line never makes it look better', () => {
  it.each(Object.entries(WRAPPERS))('%s', (_, wrap) => {
    fc.assert(
      fc.property(lines, (line) => {
        expectKept(analyzeCommand(line), analyzeCommand(wrap(line)));
      }),
      { numRuns: runs, seed: 7 },
    );
  });

  it('twice, in any combination', () => {
    const wraps = fc.array(fc.constantFrom(...Object.values(WRAPPERS)), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(lines, wraps, (line, chain) => {
        expectKept(analyzeCommand(line), analyzeCommand(chain.reduce((text, wrap) => wrap(text), line)));
      }),
      { numRuns: runs, seed: 7 },
    );
  });

  it('compares lines of all classes, most of which parse', () => {
    const seen = fc.sample(lines, { numRuns: 300, seed: 7 }).map((line) => analyzeCommand(line));
    for (const kind of ['read', 'write', 'unknown'])
      expect(seen.filter((one) => one.class === kind).length).toBeGreaterThan(5);
    expect(seen.filter(({ parse }) => parse === 'ok').length).toBeGreaterThan(290);
  });
});

describe('what stands behind an unknown program', () => {
  const texts = fc.oneof(fc.string(), lines, fc.stringMatching(/^[a-z \-/;|&'"$(){}]*$/));

  it('never makes the class better than unknown', () => {
    fc.assert(
      fc.property(texts, (text) => {
        // `name (` begins a function, which is no call.
        fc.pre(!/^\s*\(/.test(text));
        expect(analyzeCommand(`myrunner ${text}`).class).toBe('unknown');
      }),
      { numRuns: runs * 2, seed: 7 },
    );
  });
});

describe('two lines together', () => {
  it('keep the effects of both', () => {
    fc.assert(
      fc.property(lines, lines, fc.constantFrom('\n', ' ; ', ' && '), (one, other, between) => {
        const both = analyzeCommand(`${one}${between}${other}`);
        expectKept(analyzeCommand(one), both);
        expectKept(analyzeCommand(other), both);
      }),
      { numRuns: runs, seed: 7 },
    );
  });
});

describe('quoting a literal operand differently', () => {
  const programs = fc.constantFrom(
    'rm',
    'cat',
    'touch',
    'cp a',
    'rm -rf',
    'git commit -m',
    'echo',
    'sed -n p',
    'tee',
    'grep',
    'nice rm',
    'myrunner',
    'chmod 644',
    'sort',
  );
  const operands = fc.array(fc.stringMatching(/^[ -}]{1,8}$/), { minLength: 1, maxLength: 3 });
  const escaped = (text: string): string => text.replaceAll(/[^\w]/g, '\\$&');
  const ansi = (text: string): string => `$'${text.replaceAll(/[\\']/g, '\\$&')}'`;
  const mixed = (text: string): string => `${singleQuoted(text.slice(0, 1))}${doubleQuoted(text.slice(1))}`;

  it('changes nothing', () => {
    fc.assert(
      fc.property(programs, operands, (program, words) => {
        const [first, ...others] = [singleQuoted, doubleQuoted, escaped, ansi, mixed].map((quote) => {
          const { parse, commands, writes, deletes, reads, network, ...rest } = analyzeCommand(
            `${program} ${words.map(quote).join(' ')}`,
          );
          const list = (effects: typeof reads): readonly (string | null)[] => effects.map(({ path }) => path);
          const argv = commands.map((command) => command.argv);
          return {
            parse,
            argv,
            class: rest.class,
            network,
            writes: list(writes),
            deletes: list(deletes),
            reads: list(reads),
          };
        });
        expect(first?.parse).toBe('ok');
        for (const other of others) expect(other).toEqual(first);
      }),
      { numRuns: runs, seed: 7 },
    );
  });
});

describe('any text', () => {
  it('gets an answer', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        const { class: kind, source } = analyzeCommand(text, { directory: '/w' });
        expect(['read', 'write', 'unknown']).toContain(kind);
        expect(source).toBe(text);
      }),
      { numRuns: runs * 2, seed: 7 },
    );
  });
});
