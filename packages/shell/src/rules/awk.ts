import { touchAll, unknown } from '../sink.ts';
import { type ProgramCall, parse } from './call.ts';

const OPTIONS =
  '-F,--field-separator= -v,--assign= -f,--file=:unknown -i,--include=:unknown -l,--load=:unknown -E,--exec=:unknown ' +
  '-e,--source=:unknown -D,--debug?:unknown -d,--dump-variables?:unknown -o,--pretty-print?:unknown ' +
  '-p,--profile?:unknown -W=:unknown -b,--characters-as-bytes -c,--traditional -C,--copyright -g,--gen-pot -h,--help ' +
  '-I,--trace -k,--csv -L,--lint? -M,--bignum -n,--non-decimal-data -N,--use-lc-numeric -O,--optimize -P,--posix ' +
  '-r,--re-interval -s,--no-optimize -S,--sandbox -t,--lint-old -V,--version';

/** Awk programs may run, read and write anything; only those that visibly do not are read. */
export function awk(call: ProgramCall): void {
  const { sink } = call;
  const { operands, options, undetermined } = parse(call, OPTIONS);
  if (undetermined !== null) unknown(sink, 'undetermined-option', undetermined);
  for (const { spec, word } of options) if (spec.action === 'unknown') unknown(sink, 'runs-code', word);
  const [program, ...files] = operands;
  if (program === undefined) return;
  if (program.text === null) unknown(sink, 'dynamic-script', program);
  else if (mayRun(program.text)) unknown(sink, 'runs-code', program);
  touchAll(
    sink,
    'reads',
    files.filter(({ text }) => text === null || !/^[A-Za-z_]\w*=/.test(text)),
  );
}

function mayRun(program: string): boolean {
  return /system|getline|[@>]/.test(program) || /(?<!\|)\|(?!\|)/.test(program) || program.includes('|||');
}
