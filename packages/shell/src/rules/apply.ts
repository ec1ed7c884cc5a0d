import { programName } from '../names.ts';
import type { ParsedArguments } from '../options.ts';
import { change, unknown } from '../sink.ts';
import { isLauncher } from '../table/launchers.ts';
import { builtInPrograms } from '../table/lookup.ts';
import type { OperandKind } from '../table/spec.ts';
import { isWrapper } from '../wrappers/index.ts';
import { asksOnly, type ProgramCall, parse } from './call.ts';
import { rules } from './index.ts';
import { applyOperands, applyOption } from './operands.ts';

/** Judges a call by its table entry: the data first, then the rule if there is one. */
export function applySpec(call: ProgramCall): void {
  const { spec, sink } = call;
  if (spec.taught === true && mayRunOperand(call)) return;
  if (spec.subcommands !== undefined) {
    applySubcommand(call, spec.subcommands);
    return;
  }
  if (spec.network === true) sink.network = true;
  if (spec.class === 'unknown') {
    // Asked for nothing but its version or its help, a program runs nothing of others.
    if (spec.taught !== true && asksOnly(call, '--version', '--help')) return;
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

function applySubcommand(call: ProgramCall, subcommands: NonNullable<ProgramCall['spec']['subcommands']>): void {
  const { operands, undetermined } = parse(call);
  const [first] = operands;
  const name = first?.text ?? '';
  const entry = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (undetermined === first && undetermined !== null) unknown(call.sink, 'undetermined-option', undetermined);
  if (entry === undefined || first === undefined) {
    unknown(call.sink, 'unknown-subcommand', first ?? call.own);
    return;
  }
  const { network } = call.spec;
  const inner = { ...entry, names: call.spec.names, ...(network === true ? { network } : {}) };
  applySpec({ ...call, spec: inner, args: call.args.filter((word) => word !== first) });
}

/**
 * A program that a person taught may turn out to run other programs: a program's name among its operands
 * makes the call unknown, unless it is a subcommand that the entry names.
 */
function mayRunOperand(call: ProgramCall): boolean {
  const { subcommands } = call.spec;
  const { operands } = parse(call);
  const rest = subcommands === undefined ? operands : operands.slice(1);
  const found = rest.find(({ text }, index) => {
    const name = text === null ? null : programName(text);
    if (name === null) return false;
    const known = builtInPrograms().get(name);
    return (
      isWrapper(name) ||
      isLauncher(name) ||
      (known !== undefined && (index === 0 || known.class !== 'read' || known.rule !== undefined))
    );
  });
  if (found !== undefined) unknown(call.sink, 'runs-code', found);
  return found !== undefined;
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
  if (sink.writes.length > 0) sink.unnamed.push('writes');
  if (sink.deletes.length > 0) sink.unnamed.push('deletes');
}
