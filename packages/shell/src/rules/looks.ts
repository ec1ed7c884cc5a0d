import { has } from '../options.ts';
import { unknown } from '../sink.ts';
import { type ProgramCall, parse } from './call.ts';
import { applyOption } from './operands.ts';

/** Only the options that the table lists are known to show something; any other word may do anything. */
export function listed(call: ProgramCall): void {
  const { operands, flags, undetermined } = parse(call);
  const other = undetermined ?? flags[0] ?? operands[0];
  if (other !== undefined) unknown(call.sink, 'unknown-option', other);
}

const TSHARK =
  '-r,--read-file=:read -w=:write -Y,--display-filter= -R,--read-filter= -T= -e= -E= -z= -c= -d= -j= -J= -t= -u= -S= -O= ' +
  '--export-objects=:write-null -n -q -Q -V -x -2 -l -P';
const TCPDUMP =
  '-r=:read -w=:write -F=:read -c= -s,--snapshot-length= -T= -A -b -d -e -f -H -K -l -n -N -O -q -S -t -u -U -v -x -X -#';

/** Captures of a network: one that is in a file is read; taking a new one is more than a look. */
export function capture(call: ProgramCall): void {
  const parsed = parse(call, call.name === 'tshark' ? TSHARK : TCPDUMP);
  const doubtful = parsed.undetermined ?? parsed.flags[0] ?? (has(parsed, '-r') ? null : call.own);
  if (doubtful !== null) unknown(call.sink, 'unknown-option', doubtful);
  // What stands behind the options is a filter, in words.
  for (const option of parsed.options) applyOption(call, option);
}
