import type { ProgramSpec } from './spec.ts';

/** Programs that use the network. */
export const network: readonly ProgramSpec[] = [
  { names: 'curl', class: 'read', network: true, rule: 'curl' },
  { names: 'wget', class: 'read', network: true, rule: 'wget' },
  { names: 'ping dig nslookup host whois traceroute', class: 'read', network: true },
  { names: 'nc ncat netcat telnet socat ftp sftp ssh', class: 'unknown', network: true },
  { names: 'rsync', class: 'read', rule: 'rsync' },
  { names: 'scp', class: 'read', network: true, rule: 'scp' },
  { names: 'git', class: 'read', rule: 'git' },
  { names: 'gh', class: 'read', network: true, strict: true, rule: 'gh' },
];
