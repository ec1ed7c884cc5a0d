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
  return { bash, zsh, fish }[shell](completions);
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
  return `_warrant() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=() part
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $part in -*) ;; *) [ \${#before[@]} -lt 2 ] && before+=("$part") ;; esac
  done
  case "\${before[*]}" in
${completions.map(line).join('\n')}
    *) case "\${before[0]}" in
${withNames(completions)
  .map((one) => `  ${line(one)}`)
  .join('\n')}
      esac ;;
  esac
}
complete -o default -F _warrant warrant
`;
}

/** What follows a word that takes names of its own: the same as before them. */
function withNames(completions: Completions): Completions {
  return completions.filter(({ words }) => words !== '' && !words.includes(' '));
}

function zsh(completions: Completions): string {
  const line = ({ words, next }: Completions[number]) => `    '${words}') next=(${next.join(' ')}) ;;`;
  return `#compdef warrant
_warrant() {
  local -a before next
  local part
  for part in "\${(@)words[2,CURRENT-1]}"; do
    [[ $part == -* ]] || (( $#before == 2 )) || before+=("$part")
  done
  case "\${before[*]}" in
${completions.map(line).join('\n')}
    *) case "\${before[1]}" in
${withNames(completions)
  .map((one) => `  ${line(one)}`)
  .join('\n')}
      esac ;;
  esac
  compadd -a next
  _files
}
(( $+functions[compdef] )) || { autoload -U compinit && compinit }
compdef _warrant warrant
`;
}

function fish(completions: Completions): string {
  const groups = new Set(completions.flatMap(({ words }) => (words.includes(' ') ? [words.split(' ')[0]] : [])));
  const lines = completions.flatMap(({ words, next }) => {
    const takesNames = words !== '' && !groups.has(words);
    const when = `${takesNames ? '__warrant_begins' : '__warrant_is'} '${words}'`;
    return next.map((word) =>
      word.startsWith('--')
        ? `complete -c warrant -n "${when}" -l '${word.slice(2)}'`
        : `complete -c warrant -f -n "${when}" -a '${word}'`,
    );
  });
  return `function __warrant_before
    set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
    set -q words[3]; and set words $words[1..2]
    string join ' ' -- $words
end
function __warrant_is
    test "$(__warrant_before)" = "$argv[1]"
end
function __warrant_begins
    string match -q -- "$argv[1] *" "$(__warrant_before) "
end
${lines.join('\n')}
`;
}
