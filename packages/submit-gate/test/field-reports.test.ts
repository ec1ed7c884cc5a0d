import { describe, expect, it } from 'vitest';
import { createGate, type GateConfig, type GateState } from '../src/index.ts';
import { Session } from '../src/testing.ts';

describe('a test run through a general tool', () => {
  const config: GateConfig = {
    goals: ['tests_passed'],
    tools: {
      run_file: { kind: 'run', signals: ['pytest'] },
      edit: { kind: 'write', targets: ['/path'] },
      read: { kind: 'read', targets: ['/path'] },
    },
  };
  const edited = (): Session => {
    const session = new Session(createGate(config));
    session.run({ tool: 'edit', args: { path: 'src/a.py' } });
    session.run({ tool: 'read', args: { path: 'src/a.py' }, result: 'x = 2' });
    return session;
  };
  const run = (stdout: string, code: number) => ({
    tool: 'run_file',
    args: { path: 'check.py' },
    result: { stdout, return_code: code },
  });

  it('is recognised by its report', () => {
    const session = edited();
    session.run(run('... \n3 passed in 0.02s', 0));
    expect(session.submit()).toBe('accepted');
  });

  it('does not count when it failed', () => {
    const session = edited();
    session.run(run('1 failed, 2 passed in 0.02s', 1));
    expect(session.submit()).toBe('signal-missing');
    session.run(run('3 passed in 0.02s', 1));
    expect(session.submit()).toBe('signal-missing');
  });

  it('does not count when the words only stand in a file', () => {
    const session = edited();
    session.run({ tool: 'read', args: { path: 'log.txt' }, result: '3 passed in 0.02s' });
    expect(session.submit()).toBe('signal-missing');
  });

  it('is a change when it shows no report', () => {
    const session = edited();
    session.run(run('cleaned 3 folders', 0));
    expect(session.submit()).toBe('unknown-targets signal-missing');
  });
});

describe('a check in another session', () => {
  const config: GateConfig = { preset: 'coding', goals: ['tests_passed'] };
  const check = {
    tool: 'Bash',
    args: { command: 'npx vitest run' },
    result: { stdout: ' Test Files  1 passed (1)\n      Tests  3 passed (3)', stderr: '' },
  };

  it('does not count here, the refusal names the call that would, and that call clears it', () => {
    const here = new Session(createGate(config));
    here.run({ tool: 'Edit', args: { file_path: 'a', old_string: '1', new_string: '2' } });
    here.run({ tool: 'Read', args: { file_path: 'a' }, result: '2' });
    const there = new Session(createGate(config));
    there.run(check);
    const { verdict } = here.gate.submit(here.state, { type: 'completion' });
    expect(verdict.legalNext).toContainEqual({ type: 'check', signals: ['tests_passed'], obligations: [] });
    const moved = new Session(createGate(config));
    moved.state = moved.gate.resume(JSON.parse(JSON.stringify(here.state)) as GateState);
    moved.seq = here.seq;
    moved.calls = 50;
    for (const session of [here, moved]) {
      expect(session.submit()).toBe('signal-missing');
      session.run(check);
      expect(session.submit()).toBe('accepted');
    }
    expect(there.state.open).toEqual([]);
  });
});
