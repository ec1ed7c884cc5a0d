import type { ProgramSpec } from './spec.ts';

/** Programs that read files and write to their output. */
export const text: readonly ProgramSpec[] = [
  { names: 'cat rev zcat', class: 'read', operands: 'reads' },
  { names: 'md5sum sha1sum sha256sum sha512sum', class: 'read', operands: 'reads' },
  { names: 'cksum', class: 'read', operands: 'reads', options: '-a,--algorithm= -l,--length=' },
  { names: 'tac', class: 'read', operands: 'reads', options: '-s,--separator=' },
  {
    names: 'nl',
    class: 'read',
    operands: 'reads',
    options:
      '-b,--body-numbering= -d,--section-delimiter= -f,--footer-numbering= -h,--header-numbering= -i,--line-increment= ' +
      '-l,--join-blank-lines= -n,--number-format= -s,--number-separator= -v,--starting-line-number= -w,--number-width=',
  },
  { names: 'head', class: 'read', operands: 'reads', options: '-n,--lines= -c,--bytes=' },
  {
    names: 'tail',
    class: 'read',
    operands: 'reads',
    options: '-n,--lines= -c,--bytes= -s,--sleep-interval= --pid= --max-unchanged-stats= --follow?',
  },
  { names: 'wc', class: 'read', operands: 'reads', options: '--files0-from=:aside --total=' },
  {
    names: 'ls',
    class: 'read',
    operands: 'reads',
    options:
      '-I,--ignore= -T,--tabsize= -w,--width= --block-size= --hide= --indicator-style= --quoting-style= --sort= --time= ' +
      '--time-style= --format= --color? --hyperlink? --classify?',
  },
  { names: 'stat', class: 'read', operands: 'reads', options: '-c,--format= --printf= --cached=' },
  {
    names: 'file',
    class: 'read',
    operands: 'reads',
    options:
      '-m,--magic-file= -F,--separator= -f,--files-from=:aside -e,--exclude= -P,--parameter= -C,--compile:write-null',
  },
  {
    names: 'du',
    class: 'read',
    operands: 'reads',
    options:
      '-d,--max-depth= -B,--block-size= -t,--threshold= --exclude= -X,--exclude-from=:aside --files0-from=:aside ' +
      '--time? --time-style=',
  },
  {
    names: 'less more',
    class: 'read',
    operands: 'reads',
    options:
      '-b,--buffers= -h,--max-back-scroll= -j,--jump-target= -k,--lesskey-file=:unknown --lesskey-src=:unknown --lesskey-content=:unknown -o,-O,--log-file,--LOG-FILE=:write -p,--pattern= ' +
      '-P,--prompt= -t,--tag= -T,--tag-file= -x,--tabs= -y,--max-forw-scroll= -z,--window= -n,--lines=',
    rule: 'pager',
  },
  { names: 'cmp', class: 'read', operands: 'reads', options: '-i,--ignore-initial= -n,--bytes=' },
  { names: 'comm', class: 'read', operands: 'reads', options: '--output-delimiter=' },
  {
    names: 'cut',
    class: 'read',
    operands: 'reads',
    options: '-b,--bytes= -c,--characters= -d,--delimiter= -f,--fields= --output-delimiter=',
  },
  { names: 'fold', class: 'read', operands: 'reads', options: '-w,--width=' },
  {
    names: 'column',
    class: 'read',
    operands: 'reads',
    options:
      '-c,--output-width= -s,--separator= -o,--output-separator= -N,--table-columns= -l,--table-columns-limit= ' +
      '-E,--table-noextreme= -R,--table-right= -T,--table-truncate= -H,--table-hide= -W,--table-wrap= -O,--table-order= ' +
      '-n,--table-name= -r,--tree= -i,--tree-id= -p,--tree-parent= -C,--table-column=',
  },
  { names: 'paste', class: 'read', operands: 'reads', options: '-d,--delimiters=' },
  { names: 'join', class: 'read', operands: 'reads', options: '-a= -e= -j= -o= -t= -v= -1= -2=' },
  {
    names: 'od',
    class: 'read',
    operands: 'reads',
    options: '-A,--address-radix= -j,--skip-bytes= -N,--read-bytes= -S,--strings= -t,--format= -w,--width? --endian=',
  },
  {
    names: 'hexdump',
    class: 'read',
    operands: 'reads',
    options: '-e,--format= -f,--format-file=:aside -n,--length= -s,--skip= -L,--color?',
  },
  {
    names: 'strings',
    class: 'read',
    operands: 'reads',
    options: '-n,--bytes= -t,--radix= -e,--encoding= -s,--output-separator= -T,--target= -U,--unicode=',
  },
  { names: 'base64', class: 'read', operands: 'reads', options: '-w,--wrap=' },
  {
    names: 'diff',
    class: 'read',
    operands: 'reads',
    options:
      '-U= -C= --unified? --context? -I,--ignore-matching-lines= -x,--exclude= -X,--exclude-from=:aside -L,--label= ' +
      '-F,--show-function-line= -D,--ifdef= -W,--width= -S,--starting-file= --from-file=:aside --to-file=:aside --tabsize= ' +
      '--horizon-lines= --line-format= --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format= ' +
      '--new-group-format= --changed-group-format= --unchanged-group-format= --color? --palette=',
  },
  { names: 'tr', class: 'read' },
  {
    names: 'grep egrep fgrep zgrep',
    class: 'read',
    operands: 'pattern',
    options:
      '-e,--regexp=:pattern -f,--file=:pattern -A,--after-context= -B,--before-context= -C,--context= -m,--max-count= ' +
      '-d,--directories= -D,--devices= --include= --exclude= --exclude-from=:aside --exclude-dir= --label= --color? ' +
      '--colour? --binary-files= --group-separator=',
  },
  {
    names: 'rg',
    class: 'read',
    operands: 'pattern',
    strict: true,
    options:
      '-e,--regexp=:pattern -f,--file=:pattern --files:pattern --type-list:pattern -A,--after-context= -B,--before-context= ' +
      '-C,--context= -m,--max-count= -g,--glob= --iglob= -t,--type= -T,--type-not= -j,--threads= -M,--max-columns= ' +
      '-d,--max-depth,--maxdepth= -E,--encoding= -r,--replace= --sort= --sortr= --colors= --color= --context-separator= ' +
      '--engine= --ignore-file=:aside --max-filesize= --path-separator= --pre=:unknown --pre-glob= ' +
      '--hostname-bin=:unknown --type-add= --type-clear= --dfa-size-limit= --regex-size-limit= ' +
      '--field-context-separator= --field-match-separator= --hyperlink-format= --generate=',
  },
  {
    names: 'sort',
    class: 'read',
    operands: 'reads',
    strict: true,
    options:
      '-k,--key= -t,--field-separator= -o,--output=:write -S,--buffer-size= -T,--temporary-directory= --batch-size= ' +
      '--parallel= --compress-program=:unknown --files0-from=:aside --random-source= --sort=',
  },
  {
    names: 'uniq',
    class: 'read',
    options: '-f,--skip-fields= -s,--skip-chars= -w,--check-chars= --all-repeated? --group?',
    rule: 'second-operand',
  },
  { names: 'xxd', class: 'read', options: '-c= -g= -l= -n= -o= -s= -R=', rule: 'second-operand' },
  { names: 'jq', class: 'read', rule: 'jq' },
  {
    names: 'tree',
    class: 'read',
    operands: 'reads',
    strict: true,
    options: '-L= -P= -I= -o=:write -H= -T= --filelimit= --charset= --timefmt= --sort= --infofile= --gitfile=',
  },
  { names: 'sed', class: 'read', rule: 'sed' },
  { names: 'awk gawk mawk', class: 'read', rule: 'awk' },
  { names: 'find', class: 'read', rule: 'find' },
];
