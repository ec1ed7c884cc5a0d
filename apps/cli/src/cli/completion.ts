import type { CommandEntry } from './command.ts';
import { declare } from './run.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

type Completions = readonly { readonly words: string; readonly next: readonly string[] }[];

/** True for a shell that has a completion script. */
export function isShell(text: string): text is Shell {
  return (shells as readonly string[]).includes(text);
}

/** A script to be sourced: after each beginning of a command it offers the words and options that may follow. */
export async function completionScript(shell: Shell, table: readonly CommandEntry[]): Promise<string> {
  const completions = await collect(table);
  if (shell === 'fish') return fish(completions);
  const zsh = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  return `${zsh}${bash(completions)}`;
}

async function collect(table: readonly CommandEntry[]): Promise<Completions> {
  const next = new Map<string, Set<string>>();
  const offer = (words: string, word: string) => next.set(words, (next.get(words) ?? new Set()).add(word));
  for (const entry of table) {
    const [group = '', member] = entry.name.split(' ');
    offer('', group);
    if (member !== undefined) offer(group, member);
    const silent = { write: () => {}, writeError: () => {} };
    for (const option of declare(entry, await entry.load(), silent).options)
      offer(entry.name, option.long ?? option.flags);
  }
  return [...next].map(([words, following]) => ({ words, next: [...following].sort() }));
}

function bash(completions: Completions): string {
  const line = ({ words, next }: Completions[number]) =>
    `    '${words}') COMPREPLY=($(compgen -W '${next.join(' ')}' -- "$word")) ;;`;
  const single = completions.filter(({ words }) => words !== '' && !words.includes(' '));
  return `_warrant() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=() part
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $part in -*) ;; *) [ \${#before[@]} -lt 2 ] && before+=("$part") ;; esac
  done
  case "\${before[*]}" in
${completions.map(line).join('\n')}
    *) case "\${before[0]}" in
${single.map((one) => `  ${line(one)}`).join('\n')}
      esac ;;
  esac
}
complete -o default -F _warrant warrant
`;
}

function fish(completions: Completions): string {
  const lines = completions.flatMap(({ words, next }) => {
    const seen = words === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${words.split(' ').at(-1)}`;
    return next.map((word) =>
      word.startsWith('--')
        ? `complete -c warrant -f -n '${seen}' -l '${word.slice(2)}'`
        : `complete -c warrant -f -n '${seen}' -a '${word}'`,
    );
  });
  return `${lines.join('\n')}\n`;
}
