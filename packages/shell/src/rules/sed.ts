import { parseArguments, tableOf } from '../options.ts';
import { change, touch, touchAll, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import type { ProgramCall } from './call.ts';
import { isHarmlessSed } from './sed-script.ts';

const OPTIONS =
  '-e,--expression=:pattern -f,--file=:unknown -i,--in-place?:write -l,--line-length= -n,--quiet,--silent -E,-r,--regexp-extended ' +
  '-s,--separate -u,--unbuffered -z,--null-data --posix --debug --sandbox --follow-symlinks';

/** `sed` reads its files, writes them with `-i`, and may run programs or write others from its script. */
export function sed(call: ProgramCall): void {
  const { sink } = call;
  const { operands, options, undetermined } = parseArguments(call.args, tableOf(OPTIONS));
  if (undetermined !== null) unknown(sink, 'undetermined-option', undetermined);
  const inPlace = options.some(({ spec }) => spec.name === '-i');
  const pieces: (Word | null)[] = [];
  for (const { spec, value, word } of options) {
    if (spec.action === 'unknown') {
      unknown(sink, 'script', word);
      pieces.push(null);
    } else if (spec.action === 'pattern') pieces.push(value);
  }
  const scripted = pieces.length > 0;
  const [first] = operands;
  if (!scripted && first !== undefined) pieces.push(first);
  checkScript(call, pieces);
  const files = scripted ? operands : operands.slice(1);
  if (!inPlace) touchAll(sink, 'reads', files);
  else {
    if (files.length === 0) change(sink);
    for (const file of files) touch(sink, 'writes', file);
  }
}

function checkScript(call: ProgramCall, pieces: readonly (Word | null)[]): void {
  const given = pieces.filter((piece) => piece !== null);
  const dynamic = given.find(({ text }) => text === null);
  const [first] = given;
  if (dynamic !== undefined) unknown(call.sink, 'dynamic-script', dynamic);
  else if (first !== undefined && !isHarmlessSed(given.map(({ text }) => text ?? '').join('\n'))) {
    unknown(call.sink, 'runs-code', first);
  }
}
