import type { ProgramSpec } from './spec.ts';

/** Programs about processes, services and the machine. */
export const system: readonly ProgramSpec[] = [
  { names: 'kill pkill killall umount reboot shutdown swapoff', class: 'write' },
  {
    names: 'mount',
    class: 'read',
    operands: 'change',
    options:
      '-a,--all:change -t,--types= -O,--test-opts= -L,--label=:change -U,--uuid=:change -o,--options=:change -B,--bind:change -M,--move:change',
  },
  { names: 'crontab', class: 'read', rule: 'crontab' },
  { names: 'systemctl', class: 'read', strict: true, rule: 'systemctl' },
  {
    names: 'journalctl',
    class: 'read',
    options:
      '--vacuum-size=:change --vacuum-time=:change --vacuum-files=:change --rotate:change --flush:change --sync:change ' +
      '--setup-keys:change --update-catalog:change --relinquish-var:change --cursor-file=:write',
  },
  { names: 'sqlite3', class: 'read', rule: 'sqlite' },
  { names: 'psql', class: 'read', rule: 'psql' },
  { names: 'mysql mariadb', class: 'read', rule: 'mysql' },
  { names: 'tshark tcpdump', class: 'read', rule: 'capture' },
  {
    names: 'nvidia-smi',
    class: 'read',
    rule: 'listed',
    options:
      '-L,--list-gpus -q,--query -i,--id= -l,--loop= -d,--display= -x,--xml-format -h,--help --version ' +
      '--query-gpu= --query-compute-apps= --format= -f,--filename=:write',
  },
  { names: 'redis-cli openssl vim nano emacs terraform ansible', class: 'unknown' },
];
