import { describe, expect, it } from 'vitest';
import { analyzeCommand, countAnalyses, describeUnknown, renderAnalysis } from './index.ts';

describe('the tree for a person', () => {
  it('shows each command, what it does, and why something is unknown', () => {
    const line = 'sudo rm -rf dist && ./run.sh "$X" > out.log';
    expect(renderAnalysis(analyzeCommand(line, { directory: '/w' }), { ascii: true })).toBe(
      [
        `${line}  [unknown]`,
        '+- rm -rf dist  (via sudo)  [write]',
        '|  `- deletes dist = /w/dist',
        '+- ./run.sh <"$X">  [unknown]',
        '|  +- writes out.log = /w/out.log',
        '|  `- why: a program at a path of its own may be anything (local-program, at 21-28: ./run.sh)',
        '`- network: unknown',
      ].join('\n'),
    );
  });

  it('tells effects and reasons that belong to no command', () => {
    const text = renderAnalysis(analyzeCommand('{ ls; } > all.log; echo $((x))'), { ascii: true });
    expect(text).toContain('+- writes all.log');
    expect(text).toContain('arithmetic, at 25-30: x');
  });

  it('escapes control signs of the line', () => {
    const text = renderAnalysis(analyzeCommand("rm 'a\u001B[2Jb\nc' \u202Ed"));
    for (const sign of ['\u001B', '\u202E']) expect(text).not.toContain(sign);
    expect(text).toContain('\\u{1b}[2Jb\\nc');
  });

  it('uses colours only when asked', () => {
    const analysis = analyzeCommand('rm a');
    expect(renderAnalysis(analysis)).not.toContain('\u001B');
    expect(renderAnalysis(analysis, { colour: true })).toContain('\u001B[33m[write]\u001B[0m');
    expect(renderAnalysis(analysis)).toContain('├─ ');
  });

  it('has words for every reason', () => {
    for (const { code } of analyzeCommand('./x; $y; sort "$z"; make').unknowns)
      expect(describeUnknown(code)).toMatch(/\w/);
  });
});

describe('counts', () => {
  it('sum classes, commands and reasons', () => {
    const counts = countAnalyses(['ls', 'rm a', './x; ./y', 'a | $b', 'ls ;;'].map((line) => analyzeCommand(line)));
    expect(counts).toMatchObject({
      lines: 5,
      classes: { read: 1, write: 1, unknown: 3 },
      syntaxErrors: 1,
      unknownCommands: 4,
    });
    expect(counts.reasons).toEqual([
      { code: 'dynamic-program', lines: 1 },
      { code: 'local-program', lines: 1 },
      { code: 'syntax-error', lines: 1 },
      { code: 'unknown-program', lines: 1 },
    ]);
  });
});
