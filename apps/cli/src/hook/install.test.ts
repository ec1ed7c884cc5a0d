import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { project } from '../../test/claude-client.ts';
import { runWarrant } from '../../test/warrant.ts';
import { installInto, uninstallFrom } from './settings-text.ts';

const ENFORCE = { mode: 'enforce', from: 'project', command: 'warrant', timeout: 60 } as const;
const OBSERVE = { ...ENFORCE, mode: 'observe' } as const;

const COMMENTED = `{
  // the model of this team
  "model": "opus", /* no other */
  "hooks": {
    "PreToolUse": [
      // a linter of ours
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./lint.sh" }] }, // keep
    ],
    "Notification": [{ "hooks": [{ "type": "command", "command": "beep" }] }]
  },
  "permissions": { "allow": ["Bash(ls:*)"] }
}
`;

describe('the settings', () => {
  it('keep every byte outside of our entries', () => {
    for (const text of ['{}\n', '{ "a": 1 }', COMMENTED, COMMENTED.replaceAll('\n', '\r\n'), '{"hooks":{"Stop":[]}}']) {
      const installed = installInto(text, ENFORCE);
      expect(installInto(installed, ENFORCE)).toBe(installed);
      for (const line of text.split('\n')) {
        for (const word of line.split(/[\s,[\]{}]+/)) expect(installed).toContain(word);
      }
      const back = uninstallFrom(installed);
      // A list that was empty before is no longer there; everything else is as it was.
      expect(back).toBe(text === '{"hooks":{"Stop":[]}}' ? '{}' : text);
    }
  });

  it('leave remarks on the line of what they are about', () => {
    for (const text of [
      '{\n  "a": 1 // one\n}\n',
      '{\n  "a": 1, // one\n}\n',
      '{\r\n  "a": 1 /* one */ /* two */ // three\r\n}\r\n',
      '{ "a": 1 /* x\n y */ }',
      '{\n "hooks": {\n  "PreToolUse": [\n   {"hooks": []} // one\n  ] // list\n }, // hooks\n}\n',
      '{\n "hooks": {\n  "Stop": [\n   {"hooks": []}, /* one */\n // last\n  ] // list\n } // hooks\n // end\n}',
    ]) {
      const installed = installInto(text, ENFORCE);
      for (const line of text.split(/\r?\n/).filter((part) => part.includes('one')))
        expect(installed.replaceAll(',', '')).toContain(line.replaceAll(',', ''));
      expect(uninstallFrom(installed)).toBe(text);
    }
  });

  it('refuse a call when the hook fails, in enforce only, and only where that can be refused', () => {
    const hooksOf = (text: string) =>
      (JSON.parse(text) as { hooks: Record<string, { hooks: { onFailure?: string; timeout?: number }[] }[]> }).hooks;
    const guarding = Object.entries(hooksOf(installInto(null, ENFORCE))).filter(
      ([, groups]) => groups[0]?.hooks[0]?.onFailure === 'block',
    );
    expect(guarding.map(([event]) => event).sort()).toEqual([
      'PermissionRequest',
      'PreSkillShellCommand',
      'PreToolUse',
      'UserPromptSubmit',
    ]);
    for (const [, groups] of guarding) expect(groups[0]?.hooks[0]?.timeout).toBe(60);
    expect(installInto(null, OBSERVE)).not.toContain('onFailure');
    const changed = installInto(installInto(COMMENTED, ENFORCE), OBSERVE);
    expect(changed).toBe(installInto(COMMENTED, OBSERVE));
  });

  it('of other people stay when ours stand among them', () => {
    const mixed = JSON.stringify({
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'command', command: 'a' },
              { type: 'command', command: 'warrant hook claude-code --mode ask' },
              { type: 'command', command: 'b' },
            ],
          },
        ],
      },
    });
    expect(uninstallFrom(mixed)).toBe(
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},{"type":"command","command":"b"}]}]}}',
    );
  });

  it('that cannot be read are refused with the place, and nothing is written', async () => {
    for (const text of [
      '{"a": }',
      '[1]',
      '{"hooks": []}',
      '{"hooks": {"Stop": {}}}',
      '{"a": 1,, }',
      'x',
      '{"a":1} trailing',
      '{"hooks": {}, "hooks": {}}',
      '{"hooks": {"Stop": [], "Stop": []}}',
    ]) {
      expect(() => installInto(text, OBSERVE)).toThrow(expect.objectContaining({ code: 'CLI_SETTINGS_INVALID' }));
    }
    const directory = mkdtempSync(join(tmpdir(), 'warrant-install-'));
    mkdirSync(join(directory, '.claude'));
    writeFileSync(join(directory, '.claude/settings.json'), '{"a": }');
    const ran = await runWarrant(directory, ['hook', 'install']);
    expect(ran).toMatchObject({ code: 2, error: expect.stringContaining('line 1, column 7') });
    expect(readdirSync(join(directory, '.claude'))).toEqual(['settings.json']);
  });

  it('come back as they were, whatever stood in them', () => {
    const json = fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown);
    const settings = fc.dictionary(
      fc.string().filter((name) => name !== 'hooks' && name !== '__proto__'),
      json,
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(settings, fc.constantFrom(0, 2, 4, '\t'), fc.boolean(), (value, indent, windows) => {
        const plain = JSON.stringify(value, null, indent);
        const text = windows ? plain.replaceAll('\n', '\r\n') : plain;
        const installed = installInto(text, ENFORCE);
        expect(JSON.parse(installed)).toMatchObject(JSON.parse(text) as object);
        expect(uninstallFrom(installed)).toBe(text);
      }),
      { numRuns: 25 },
    );
  });
});

describe('warrant hook', () => {
  const version = ['--client-version', '2.1.332'];

  it('installs, says so again, looks after it, and takes it out', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'warrant-install-'));
    mkdirSync(join(directory, '.claude'));
    const file = join(directory, '.claude/settings.json');
    writeFileSync(file, COMMENTED);
    const environment = { CLAUDE_CONFIG_DIR: join(directory, 'user') };
    const run = (...words: string[]) => runWarrant(directory, ['hook', ...words], { environment });

    const tried = await run('install', '--dry-run');
    expect(tried.out).toContain('+ ');
    expect(readFileSync(file, 'utf8')).toBe(COMMENTED);
    expect(await run('status', ...version)).toMatchObject({ code: 3 });

    const first = await run('install');
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\+ .*hook claude-code --mode observe --from project/),
    });
    expect(first.out).toContain("until 'warrant init' makes one nothing is recorded");
    const backups = readdirSync(join(directory, '.claude')).filter((name) => name.endsWith('.backup'));
    expect(backups.map((name) => readFileSync(join(directory, '.claude', name), 'utf8'))).toEqual([COMMENTED]);
    const once = readFileSync(file, 'utf8');
    expect((await run('install')).out).toContain('already');
    expect(readFileSync(file, 'utf8')).toBe(once);
    expect(await run('status', ...version)).toMatchObject({
      code: 0,
      out: expect.stringContaining('project: observe, 16 events'),
    });

    expect(await run('install', '--user')).toMatchObject({ code: 0 });
    expect(readFileSync(join(directory, 'user/settings.json'), 'utf8')).toContain('--from user');

    expect(await run('uninstall')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(COMMENTED);
    expect((await run('uninstall')).out).toContain('no hooks');
  });

  it('enforces only on a client that refuses when a hook fails', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'warrant-install-'));
    const environment = { PATH: directory };
    const run = (...words: string[]) => runWarrant(directory, ['hook', ...words], { environment });
    const enforce = ['install', '--mode', 'enforce'];
    expect(await run(...enforce)).toMatchObject({ code: 3, error: expect.stringContaining('2.1.295') });
    expect(await run(...enforce, '--client-version', '2.1.294')).toMatchObject({ code: 1 });
    expect(await run(...enforce, '--client-version', '2.1.295')).toMatchObject({ code: 0 });
    expect(await run('status', '--client-version', '2.1.400')).toMatchObject({ code: 0 });
    expect(await run('status', '--client-version', '2.0.999')).toMatchObject({ code: 1 });
    const file = join(directory, '.claude/settings.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/,\s*"onFailure": "block"/, ''));
    expect((await run('status', ...version)).out).toContain('lets the call run when its hook fails');
    expect(await run('install', '--mode', 'sometimes')).toMatchObject({ code: 2 });
  });

  it('sees what keeps a hook from being called each time, or waited for, and installing again mends it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'warrant-install-'));
    const run = (...words: string[]) =>
      runWarrant(directory, ['hook', ...words], { environment: { CLAUDE_CONFIG_DIR: join(directory, 'user') } });
    await run('install');
    const file = join(directory, '.claude/settings.json');
    const whole = readFileSync(file, 'utf8');
    const type = '"type": "command",';
    for (const [member, said] of [
      ['"async": true,', 'is not waited for (async)'],
      ['"asyncRewake": true,', 'is not waited for (asyncRewake)'],
      ['"once": true,', 'is called once only'],
      ['"if": "Bash(rm *)",', 'is called for some calls only'],
    ] as const) {
      writeFileSync(file, whole.replace(type, `${type} ${member}`));
      expect(await run('status', ...version)).toMatchObject({ code: 1, out: expect.stringContaining(said) });
    }
    writeFileSync(file, whole.replace('"hooks": [', '"matcher": "Bash", "hooks": ['));
    const limited = await run('status', ...version);
    expect(limited).toMatchObject({ code: 1, out: expect.stringContaining('is called for "Bash" only') });
    expect((await run('install')).out).toContain('Installed in mode observe');
    expect(await run('status', ...version)).toMatchObject({ code: 0 });
    writeFileSync(join(directory, '.claude/settings.local.json'), '{ "disableAllHooks": true } // for now');
    const silent = await run('status', ...version, '--project');
    expect(silent).toMatchObject({ code: 1, out: expect.stringContaining('has disableAllHooks') });
  });

  it('tells of one place where one is named', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'warrant-install-'));
    const environment = { CLAUDE_CONFIG_DIR: join(directory, 'user') };
    const run = (...words: string[]) => runWarrant(directory, ['hook', ...words], { environment });
    await run('install', '--user');
    expect(await run('status', ...version, '--project')).toMatchObject({ code: 3, out: 'No hook is installed.\n' });
    expect(await run('status', ...version, '--local')).toMatchObject({ code: 3 });
    expect(await run('status', ...version, '--user')).toMatchObject({ code: 0, out: expect.stringMatching(/^user: /) });
    expect(await run('status', ...version)).toMatchObject({ code: 0, out: expect.stringMatching(/^user: /) });
  });

  it('sees that a person is waited for longer than the client waits for the hook', async () => {
    const directory = await project();
    const run = (...words: string[]) => runWarrant(directory, ['hook', ...words]);
    expect((await run('install', '--mode', 'ask')).out).not.toContain('There is no workspace');
    expect(await run('status', ...version)).toMatchObject({ code: 0 });
    appendFileSync(join(directory, '.warrant/warrant.yaml'), 'claude:\n  ask: inbox\n  askSeconds: 120\n');
    expect(await run('status', ...version)).toMatchObject({
      code: 1,
      out: expect.stringContaining('PreToolUse is ended after 60 s, and a person is waited for 120 s'),
    });
    expect((await run('install', '--mode', 'ask')).out).toContain('"timeout": 135');
    expect(await run('status', ...version)).toMatchObject({ code: 0 });
  });

  it('writes through a link to settings that lie elsewhere', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'warrant-install-'));
    mkdirSync(join(directory, '.claude'));
    writeFileSync(join(directory, 'shared.json'), '{}');
    symlinkSync('../shared.json', join(directory, '.claude/settings.json'));
    expect(await runWarrant(directory, ['hook', 'install'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(directory, 'shared.json'), 'utf8')).toContain('hook claude-code');
  });
});
