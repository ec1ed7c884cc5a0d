import type { ParsedArguments } from '../options.ts';
import { change, unknown } from '../sink.ts';
import type { OperandKind } from '../table/spec.ts';
import { type ProgramCall, parse } from './call.ts';
import { rules } from './index.ts';
import { applyOperands, applyOption } from './operands.ts';

/** Judges a call by its table entry: the data first, then the rule if there is one. */
export function applySpec(call: ProgramCall): void {
  const { spec, sink } = call;
  if (spec.network === true) sink.network = true;
  if (spec.class === 'unknown') {
    unknown(sink, 'runs-code', call.own);
    return;
  }
  const operands = spec.operands ?? 'ignored';
  if (spec.options !== undefined || operands !== 'ignored' || (spec.strict === true && spec.rule === undefined)) {
    applyArguments(call, operands);
  } else if (spec.class === 'write') {
    change(sink);
  }
  if (spec.rule !== undefined) rules[spec.rule](call);
}

function applyArguments(call: ProgramCall, kind: OperandKind): void {
  const { spec, sink } = call;
  const parsed = parse(call);
  if (spec.strict === true && parsed.undetermined !== null) unknown(sink, 'undetermined-option', parsed.undetermined);
  for (const option of parsed.options) applyOption(call, option);
  applyOperands(call, kind, parsed);
  if (spec.class === 'write' && parsed.operands.length === 0) change(sink);
  noteUndetermined(call, parsed);
}

/** A word that may be an option may also name a target which the lists do not hold. */
function noteUndetermined(call: ProgramCall, parsed: ParsedArguments): void {
  if (parsed.undetermined === null) return;
  const { sink } = call;
  if (sink.writes.length > 0) sink.unnamed.add('writes');
  if (sink.deletes.length > 0) sink.unnamed.add('deletes');
}
