import { describe, expect, it } from 'vitest';
import { analyzeCommand } from './index.ts';
import { builtInPrograms } from './table/lookup.ts';

type Lists = { readonly reads?: string; readonly writes?: string; readonly deletes?: string; readonly network?: true };
type Row = readonly [line: string, kind: 'read' | 'write' | 'unknown', lists?: Lists];

const each = (names: string, tail: string, kind: Row[1], lists?: Lists): readonly Row[] =>
  names
    .split(' ')
    .map((name): Row => (lists === undefined ? [`${name}${tail}`, kind] : [`${name}${tail}`, kind, lists]));

const NET = { network: true } as const;
const ROWS: readonly Row[] = [
  ...each(
    'echo true false : pwd whoami id uname which type uptime ps sleep seq test [ expr basename dirname readlink realpath ' +
      'tty nproc free df jobs wait cd pushd popd dirs set shopt unset shift return exit break continue read printf umask ' +
      'ulimit let getopts tput clear locale groups arch lscpu lsblk history yes logname pgrep lsof ss netstat mapfile ' +
      'readarray printenv',
    ' a',
    'read',
  ),
  ['command -v rm', 'read'],
  ['builtin', 'read'],
  ['env', 'read'],
  ...each('export declare typeset readonly local', ' A=1', 'read'),
  ...each('export declare typeset readonly local', ' PATH=/x', 'unknown'),
  ...each('export declare typeset readonly local', ' $X', 'unknown'),
  ['date +%s', 'read'],
  ['date -s now', 'write'],
  ['date "$X"', 'unknown'],
  ['hostname', 'read'],
  ['hostname box', 'write'],
  ...each(
    'cat tac nl head tail wc ls stat file du less more cmp comm cut rev fold column paste join od hexdump strings md5sum ' +
      'sha1sum sha256sum sha512sum cksum base64 zcat diff',
    ' a b',
    'read',
    { reads: 'a b' },
  ),
  ['tr a b', 'read'],
  ...each('grep egrep fgrep zgrep rg', ' p a b', 'read', { reads: 'a b' }),
  ...each('grep egrep fgrep zgrep rg', ' -e p a b', 'read', { reads: 'a b' }),
  ['rg --pre=x p a', 'unknown'],
  ['sort -o out a', 'write', { reads: 'a', writes: 'out' }],
  ['sort "$X"', 'unknown'],
  ...each('uniq xxd', ' a b', 'write', { reads: 'a', writes: 'b' }),
  ['jq .x a b', 'read', { reads: 'a b' }],
  ['tree -o out a', 'write', { reads: 'a', writes: 'out' }],
  ['sed s/a/b/ f', 'read', { reads: 'f' }],
  ['sed -i s/a/b/ f', 'write', { writes: 'f' }],
  ['sed "w x" f', 'unknown'],
  ...each('awk gawk mawk', " '{print $1}' f", 'read', { reads: 'f' }),
  ...each('awk gawk mawk', ' \'{print > "x"}\' f', 'unknown'),
  ['find a -name x', 'read', { reads: 'a' }],
  ['find a -delete', 'write', { reads: 'a', deletes: 'a' }],
  ['find a -fprint out', 'write', { reads: 'a', writes: 'out' }],
  ...each('rm rmdir unlink', ' a', 'write', { deletes: 'a' }),
  ...each('shred truncate', ' a', 'write', { writes: 'a' }),
  ['shred -u a', 'write', { writes: 'a', deletes: 'a' }],
  ...each('cp install', ' a b c', 'write', { reads: 'a b', writes: 'c' }),
  ...each('cp install', ' -t d a', 'write', { reads: 'a', writes: 'd' }),
  ['install -d a b', 'write', { writes: 'a b' }],
  ['mv a b c', 'write', { reads: 'a b', deletes: 'a b', writes: 'c' }],
  ['ln -s a b', 'write', { writes: 'b' }],
  ['ln a', 'write', { writes: '.' }],
  ...each('mkdir touch mkfifo', ' a b', 'write', { writes: 'a b' }),
  ...each('chmod chown chgrp', ' x a b', 'write', { writes: 'a b' }),
  ...each('chmod chown chgrp', ' --reference=r a b', 'write', { writes: 'a b' }),
  ['tee a b', 'write', { writes: 'a b' }],
  ['dd if=a of=b', 'write', { reads: 'a', writes: 'b' }],
  ['dd "$X" of=b', 'unknown'],
  ...each('mktemp split csplit patch', '', 'write', { writes: 'null' }),
  ['patch --dry-run', 'read'],
  ...each('gzip gunzip bzip2 bunzip2 xz unxz zstd', ' a', 'write', { deletes: 'a', writes: 'null' }),
  ...each('gzip gunzip bzip2 bunzip2 xz unxz zstd', ' -k a', 'write', { writes: 'null' }),
  ...each('gzip gunzip bzip2 bunzip2 xz unxz zstd', ' "$X"', 'unknown'),
  ['tar tf a', 'read', { reads: 'a' }],
  ['tar cf a b', 'write', { reads: 'b', writes: 'a' }],
  ['tar xf a -C d', 'write', { reads: 'a', writes: 'd' }],
  ['tar xf a', 'write', { reads: 'a', writes: '.' }],
  ['tar xf a --to-command=x', 'unknown'],
  ['zip a b', 'write', { reads: 'b', writes: 'a' }],
  ['zip -m a b', 'write', { reads: 'b', writes: 'a', deletes: 'b' }],
  ['zip -T a b', 'unknown'],
  ['unzip -l a', 'read', { reads: 'a' }],
  ['unzip a -d d', 'write', { reads: 'a', writes: 'd' }],
  ['rsync a b', 'write', { reads: 'a', writes: 'b' }],
  ['rsync --delete a b', 'write', { reads: 'a', writes: 'b', deletes: 'b' }],
  ['rsync a h:b', 'write', { reads: 'a', network: true }],
  ['rsync -e x a b', 'unknown'],
  ['scp a h:b', 'write', { reads: 'a', network: true }],
  ['scp -o x a h:b', 'unknown', NET],
  ['curl u', 'read', NET],
  ['curl -o f u', 'write', { writes: 'f', network: true }],
  ['curl -d x u', 'write', NET],
  ['curl -G -d x u', 'read', NET],
  ['curl -X PUT u', 'write', NET],
  ['curl -K x u', 'unknown', NET],
  ['wget --spider u', 'read', NET],
  ['wget -qO- u', 'read', NET],
  ['wget u', 'write', { writes: 'null', network: true }],
  ['wget -e x u', 'unknown', NET],
  ...each('ping dig nslookup host whois traceroute', ' h', 'read', NET),
  ...each('nc ncat netcat telnet socat ftp sftp ssh', ' h', 'unknown', NET),
  ...each('kill pkill killall umount reboot shutdown swapoff', ' x', 'write'),
  ['mount', 'read'],
  ['mount a b', 'write'],
  ['crontab -l', 'read'],
  ['crontab f', 'unknown'],
  ['systemctl status x', 'read'],
  ['systemctl stop x', 'write'],
  ['systemctl "$X"', 'unknown'],
  ['journalctl -u x', 'read'],
  ['journalctl --rotate', 'write'],
  ...each('mkfs mkfs.ext4 mkfs.xfs mkswap wipefs', ' d', 'write', { writes: 'd' }),
  ...each('apt apt-get', ' list', 'read'),
  ...each('apt apt-get', ' install x', 'unknown', NET),
  ...each('apt apt-get', ' remove x', 'unknown'),
  ...each('python python3 node deno ruby perl php java go cargo rustc tsc make cmake', ' --version', 'read'),
  ...each('python python3 node deno ruby perl php java go cargo rustc tsc make cmake', ' x', 'unknown'),
  ['go version', 'read'],
  ...each('pip pip3', ' list', 'read'),
  ...each('pip pip3', ' install x', 'unknown', NET),
  ...each('pip pip3', ' uninstall x', 'unknown'),
  ...each('npm pnpm yarn', ' why x', 'read'),
  ...each('npm pnpm yarn', ' outdated', 'read', NET),
  ...each('npm pnpm yarn', ' install', 'unknown', NET),
  ...each('npm pnpm yarn', ' install --ignore-scripts', 'write', NET),
  ...each('npm pnpm yarn', ' run x', 'unknown'),
  ['yarn', 'unknown', NET],
  ...each('docker podman', ' ps', 'read'),
  ...each('docker podman', ' stop x', 'write'),
  ...each('docker podman', ' pull x', 'write', NET),
  ...each('docker podman', ' build .', 'unknown'),
  ['kubectl get pods', 'read', NET],
  ['kubectl delete pod x', 'write', NET],
  ['kubectl rollout undo x', 'write', NET],
  ['kubectl proxy', 'unknown', NET],
  ['gh pr view 1', 'read', NET],
  ['gh pr merge 1', 'write', NET],
  ['gh api x', 'read', NET],
  ['gh api x -f a=b', 'write', NET],
  ['gh alias set a b', 'unknown', NET],
  ...each('source .', ' f', 'unknown', { reads: 'f' }),
  ['trap', 'read'],
  ['trap "rm a" EXIT', 'write', { deletes: 'a' }],
  ...each('sh bash dash zsh ksh ash', ' --version', 'read'),
  ...each('sh bash dash zsh ksh ash', ' f', 'unknown', { reads: 'f' }),
  ...each('sh bash dash zsh ksh ash', ' -c "rm a"', 'write', { deletes: 'a' }),
  ...each('alias enable bind complete hash', '', 'read'),
  ...each('alias enable bind complete hash', ' x', 'unknown'),
  ...each('sqlite3 psql mysql mariadb redis-cli openssl vim nano emacs terraform ansible', ' x', 'unknown'),
  ...each('sqlite3 redis-cli openssl vim nano emacs terraform ansible', ' --version', 'read'),
  ...each('sqlite3', " f 'SELECT 1'", 'read', { reads: 'f' }),
  ...each('sqlite3', " f 'DELETE FROM a'", 'unknown'),
  ...each('psql', " -c 'SELECT 1'", 'read', NET),
  ...each('mysql mariadb', " -e 'SHOW TABLES'", 'read', NET),
  ...each('tshark tcpdump', ' -r f -n', 'read', { reads: 'f' }),
  ...each('tshark tcpdump', ' -r f -w g', 'write', { reads: 'f', writes: 'g' }),
  ...each('tshark tcpdump', ' -i eth0', 'unknown'),
  ['nvidia-smi', 'read'],
  ['nvidia-smi --query-gpu=name --format=csv', 'read'],
  ['nvidia-smi --gpu-reset', 'unknown'],
  ['git --version', 'read'],
  ['git log', 'read'],
  ['git log --output=f', 'write', { writes: 'f' }],
  ['git diff --ext-diff', 'unknown'],
  ['git branch', 'read'],
  ['git branch x', 'write'],
  ['git remote show x', 'read', NET],
  ['git stash list', 'read'],
  ['git stash', 'write'],
  ['git config --get a.b', 'read'],
  ['git config a.b c', 'unknown'],
  ['git clean -n', 'read'],
  ['git clean -fd', 'write'],
  ['git rebase main', 'write'],
  ['git rebase -x y main', 'unknown'],
  ['git push', 'write', NET],
  ['git clone -u x y', 'unknown', NET],
  ['git ls-remote', 'read', NET],
  ['git -c core.pager=x log', 'unknown'],
];

/** What the rules for each program say, written down from the rules and not from an answer. */
describe('every family of programs', () => {
  const rows = ROWS.map(([line, kind, lists]) => ({ line, kind, lists: lists ?? {} }));

  it.each(rows)('$line is $kind', ({ line, kind, lists }) => {
    const analysis = analyzeCommand(line);
    const paths = (list: 'reads' | 'writes' | 'deletes'): readonly string[] =>
      [...new Set(analysis[list].map(({ path }) => path ?? 'null'))].sort();
    const listed = (text: string | undefined): readonly string[] => text?.split(' ') ?? [];
    expect(analysis.class).toBe(kind);
    expect(analysis.network).toBe(lists.network === true ? 'yes' : kind === 'unknown' ? 'unknown' : 'no');
    if (kind === 'unknown' && lists.reads === undefined) return;
    expect([paths('reads'), paths('writes'), paths('deletes')]).toEqual(
      [lists.reads, lists.writes, lists.deletes].map(listed),
    );
  });

  it('leaves no program of the table without a line', () => {
    const tried = new Set(ROWS.map(([line]) => line.split(' ')[0]));
    const left = [...builtInPrograms().keys()].filter((name) => !tried.has(name));
    expect(left).toEqual([]);
  });
});
