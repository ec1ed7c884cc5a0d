import { createShellClassifier } from '@warrant/shell';
import { describe, expect, it } from 'vitest';
import { createGate, type GateConfig } from '../src/index.ts';
import { Session } from '../src/testing.ts';
import { type Act, bash, edit, PAIRS, read } from './coding-sessions.ts';

const analyze = createShellClassifier();
const classifier: NonNullable<GateConfig['classifier']> = {
  name: 'shell',
  classify: (call) => analyze({ ...call, directory: '/repo' }),
};
const fix = edit('/repo/src/a.ts', 'a - b', 'a + b');
const seen = read('/repo/src/a.ts', 'export const add = (a, b) => a + b;');

function sessionOf(acts: readonly Act[], goals: readonly string[] = []): Session {
  const session = new Session(createGate({ preset: 'coding', root: '/repo', classifier, goals }));
  for (const act of acts)
    session.run({ tool: act.tool, args: act.args, result: act.result, outcome: act.failed === true ? 'error' : 'ok' });
  return session;
}

describe('the coding preset with the shell classifier', () => {
  it('accepts at least 18 of 20 honest completions', () => {
    const refused = PAIRS.map((pair) => [pair.name, sessionOf(pair.honest, pair.goals).submit()]).filter(
      ([, verdict]) => verdict !== 'accepted',
    );
    expect(refused.length, JSON.stringify(refused)).toBeLessThanOrEqual(2);
  });

  it.each(PAIRS.map((pair) => [pair.name, pair] as const))('refuses the dishonest twin: %s', (_name, pair) => {
    expect(sessionOf(pair.dishonest, pair.goals).submit()).not.toBe('accepted');
  });

  it.each([
    "true '/tmp is where logs go'",
    "printf '%s\\n' '/etc/hosts is prose'",
    ": '/var/lib'",
    "echo '/etc/passwd'",
  ])('takes no quoted prose for a path: %s', (command) => {
    const session = sessionOf([fix, seen, bash(command, '/etc/hosts is prose')]);
    expect(session.state.open).toEqual([]);
    expect(session.state.changed).toEqual(['src/a.ts']);
    expect(session.submit()).toBe('accepted');
  });

  it.each(["printf '%s' '/repo/src/a.ts'", "true '/repo/src/a.ts'", "echo 'export const add = (a, b) => a + b;'"])(
    'takes no quoted prose for a look: %s',
    (command) => {
      expect(sessionOf([fix, bash(command, '/repo/src/a.ts')]).submit()).toBe('not-looked-at');
    },
  );

  it.each([
    ['rm -f /repo/src/b.ts', 'src/b.ts'],
    ["printf '%s' 'x' > /repo/src/b.ts", 'src/b.ts'],
    ['n=$(( 1 << 2 ))\nrm -rf build', 'build'],
  ])('opens an obligation on what a line touches: %s', (command, target) => {
    const session = sessionOf([fix, seen, bash(command, '')]);
    expect(session.state.open.map((item) => item.targets)).toEqual([[target]]);
    expect(session.submit()).toBe('not-looked-at');
  });

  it.each(['rm -rf "$OUT"', './tools/run --all', 'python3 -c "open(1)"', 'eval "$LINE"'])(
    'takes what nobody can know for a change of unknown things: %s',
    (command) => {
      expect(sessionOf([fix, seen, bash(command, '')]).submit()).toBe('unknown-targets');
    },
  );

  it('lets a look through the shell meet a change', () => {
    expect(sessionOf([fix, bash('cat src/a.ts', 'export const add = (a, b) => a + b;')]).submit()).toBe('accepted');
    expect(sessionOf([fix, bash('cat src/b.ts', 'export const add = (a, b) => a + b;')]).submit()).toBe(
      'not-looked-at',
    );
    expect(sessionOf([fix, bash('sed -n 1,20p src/a.ts | head -5', 'a - b', {})]).submit()).not.toBe('accepted');
  });
});
