import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionScript, type Shell, shells } from './completion.ts';
import { table } from './table.ts';

/** What a real shell offers at the end of a line, asked as the shell itself does at the press of the tab key. */
const askers: { readonly [shell in Shell]: (script: string, line: string) => readonly string[] } = {
  bash: (script, line) => {
    const words = line.split(' ');
    const ask = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
    return run('bash', ['--norc', '-c', `source '${script}'; ${ask}; _warrant; printf '%s\\n' "\${COMPREPLY[@]}"`]);
  },
  // Completion needs a terminal: one shell plays the terminal of another.
  zsh: (script, line) =>
    run('zsh', [
      '-f',
      '-c',
      `zmodload zsh/zpty
      zpty shell zsh -f
      zpty -w shell "PS1= ; autoload -U compinit; compinit -u -D; source '${script}'; compdef"
      zpty -w shell "compadd() { builtin compadd -O found \\"\\$@\\"; print -l -- begin \\$found end }; _files() { : }"
      zpty -w shell "print re''ady"
      zpty -r shell text '*ready*'
      zpty -n -w shell $'${line}\\t'
      zpty -r shell text '*begin*end*'
      print -- "$text"`,
    ])
      .join('\n')
      .replace(/^[\s\S]*begin/, '')
      .replace(/end[\s\S]*$/, '')
      .split(/\s+/)
      .filter((word) => word !== ''),
  fish: (script, line) =>
    run('fish', ['--no-config', '-c', `source '${script}'; complete -C '${line}'`]).map(
      (word) => word.split('\t')[0] ?? '',
    ),
};

function run(shell: string, args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-shell-'));
  const { stdout } = spawnSync(shell, args, {
    encoding: 'utf8',
    cwd: folder,
    timeout: 60_000,
    env: { ...process.env, HOME: folder, TERM: 'dumb' },
  });
  return stdout.split(/\r?\n/).filter((word) => word !== '');
}

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe.each(shells)('the completion script for %s', (shell) => {
  const file = join(mkdtempSync(join(tmpdir(), 'warrant-completion-')), 'script');
  const offered = (line: string): readonly string[] => askers[shell](file, line);

  // Shells are not part of what a build has to have.
  it.skipIf(!isThere(shell))(
    'offers commands, members of a group and options where each may stand',
    { timeout: 120_000 },
    async () => {
      writeFileSync(file, await completionScript(shell, table));
      expect(offered('warrant che')).toEqual(['check']);
      expect(offered('warrant graph im')).toEqual(['import']);
      expect(offered('warrant graph import --pr')).toEqual(['--prune']);
      expect(offered('warrant check delete file --min')).toEqual(['--min-depth']);
      expect(offered('warrant journal import --pr')).toEqual([]);
      const members = offered('warrant policy ');
      expect(members).toEqual(expect.arrayContaining(['check', 'explain', 'lint', 'test']));
      expect(members).not.toContain('graph');
    },
  );
});
