import { parseArguments } from '../options.ts';
import { unknown } from '../sink.ts';
import { tableOf } from '../wrappers/prefix.ts';
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
  const { name, args, sink } = call;
  const { options, flags, undetermined } = parseArguments(args, tableOf(name === 'tshark' ? TSHARK : TCPDUMP));
  const from = options.find(({ spec }) => spec.action === 'read' && spec.name === '-r');
  const doubtful = undetermined ?? flags[0] ?? (from === undefined ? call.own : null);
  if (doubtful !== null) unknown(sink, 'unknown-option', doubtful);
  // What stands behind the options is a filter, in words.
  for (const option of options) applyOption(call, option);
}
