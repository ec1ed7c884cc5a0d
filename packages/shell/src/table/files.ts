import type { ProgramSpec } from './spec.ts';

const COPY = '-S,--suffix= -t,--target-directory= --sparse= --reflink? --preserve? --no-preserve= --backup? --context?';
const COMPRESS =
  '-k,--keep -c,--stdout,--to-stdout -l,--list -t,--test -S,--suffix= -T,--threads= -F,--format= -C,--check= -b= -o= -D= -M=';

/** Programs that create, change or remove files. */
export const files: readonly ProgramSpec[] = [
  { names: 'rm', class: 'write', operands: 'deletes', options: '--interactive? --preserve-root?' },
  { names: 'rmdir unlink', class: 'write', operands: 'deletes' },
  {
    names: 'shred',
    class: 'write',
    operands: 'writes',
    options: '-n,--iterations= -s,--size= --random-source= -u,--remove?:delete',
    rule: 'shred',
  },
  { names: 'truncate', class: 'write', operands: 'writes', options: '-s,--size= -r,--reference=' },
  { names: 'cp', class: 'write', operands: 'copy', options: COPY },
  {
    names: 'install',
    class: 'read',
    options: `${COPY} -m,--mode= -o,--owner= -g,--group= --strip-program=:unknown -d,--directory`,
    rule: 'install',
  },
  { names: 'mv', class: 'write', operands: 'move', options: COPY },
  { names: 'ln', class: 'write', operands: 'link', options: '-S,--suffix= -t,--target-directory= --backup?' },
  { names: 'mkdir mkfifo', class: 'write', operands: 'writes', options: '-m,--mode= --context?' },
  { names: 'touch', class: 'write', operands: 'writes', options: '-d,--date= -r,--reference= -t= --time=' },
  { names: 'chmod chown chgrp', class: 'read', options: '--reference= --from=', rule: 'mode' },
  { names: 'tee', class: 'read', operands: 'writes', options: '--output-error?' },
  { names: 'dd', class: 'read', rule: 'dd' },
  { names: 'mktemp csplit', class: 'write', operands: 'somewhere' },
  { names: 'split', class: 'write', operands: 'somewhere', options: '--filter=:unknown' },
  { names: 'patch', class: 'read', options: '--dry-run', strict: true, rule: 'patch' },
  { names: 'gzip gunzip bzip2 bunzip2 xz unxz zstd', class: 'read', options: COMPRESS, strict: true, rule: 'compress' },
  { names: 'tar', class: 'read', rule: 'tar' },
  { names: 'zip', class: 'read', rule: 'zip' },
  { names: 'unzip', class: 'read', rule: 'unzip' },
  { names: 'mkfs', class: 'write', operands: 'writes', options: '-t,--type=' },
  {
    names: 'mkfs.ext4',
    class: 'write',
    operands: 'writes',
    options:
      '-b= -C= -d=:aside -E= -e= -g= -G= -i= -I= -J= -l=:aside -L= -m= -M= -N= -o= -O= -r= -t= -T= -U= -z=:write',
  },
  {
    names: 'mkfs.xfs',
    class: 'write',
    operands: 'writes',
    options: '-b= -c=:aside -d= -i= -l= -L= -m= -n= -p=:aside -r= -s=',
  },
  {
    names: 'mkswap',
    class: 'write',
    operands: 'writes',
    options: '-e,--endianness= -o,--offset= -s,--size= -L,--label= -p,--pagesize= -U,--uuid= -v,--swapversion?',
  },
  { names: 'wipefs', class: 'write', operands: 'writes', options: '-o,--offset= -O,--output= -t,--types=' },
];
