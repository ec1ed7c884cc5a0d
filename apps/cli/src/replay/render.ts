import { type CommandCall, paint } from '../cli/command.ts';
import type { Style } from '../cli/terminal.ts';
import type { ChangedCall } from './compare.ts';
import type { CallVerdict } from './judge.ts';
import type { ReplayedCall, ReplayReport } from './report.ts';

const STYLES: { readonly [verdict in CallVerdict['verdict']]: Style } = {
  allowed: 'green',
  'would-ask': 'yellow',
  'would-block': 'red',
  ungrounded: 'red',
};

const WORDS: { readonly [verdict in CallVerdict['verdict']]: string } = {
  allowed: 'allowed',
  'would-ask': 'would ask',
  'would-block': 'would block',
  ungrounded: 'ungrounded',
};

const DAMAGE: { readonly [why in ReplayReport['damaged'][number]['why']]: string } = {
  'not-json': 'damaged line, skipped',
  'too-deep': 'nested too deep, skipped',
  'nothing-known': 'nothing in it is recognised',
};

/** The report for a terminal: calls, claims, secrets, counts, gaps. */
export function renderReport(call: CommandCall, report: ReplayReport, onlyStopped: boolean): string {
  const shown = onlyStopped ? report.calls.filter(({ verdict }) => verdict !== 'allowed') : report.calls;
  return [
    ...callLines(call, shown),
    ...claimLines(report),
    ...secretLines(report),
    ...report.damaged.map(({ file, line, why }) => `${file}:${line}: ${DAMAGE[why]}`),
    '',
    summary(report),
    ...gapLines(report),
  ].join('\n');
}

function callLines(call: CommandCall, calls: readonly ReplayedCall[]): readonly string[] {
  const lines: string[] = [];
  let thread = '';
  for (const one of calls) {
    const now = `${one.file}${one.thread === 'main' ? '' : `, ${one.thread}`}`;
    if (now !== thread) lines.push(paint(call, 'bold', now));
    thread = now;
    const room = Math.max(20, call.terminal.columns - one.tool.length - 18);
    lines.push(
      `  ${paint(call, STYLES[one.verdict], WORDS[one.verdict].padEnd(12))} ${one.tool} ${cut(one.about, room)}`,
    );
    for (const why of one.why) lines.push(`               ${why}`);
  }
  return lines;
}

function claimLines({ unverified }: ReplayReport): readonly string[] {
  if (unverified.length === 0) return [];
  return [
    '',
    'Claims at the end of a turn that nothing had verified:',
    ...unverified.flatMap(({ file, thread, turn, claim, reasons, open }) => [
      `  ${file}${thread === 'main' ? '' : `, ${thread}`}, turn ${turn}: ${claim}: ${reasons.join('; ')}`,
      ...open.slice(0, 5).map((one) => `    never looked at: ${cut(one, 120)}`),
      ...(open.length > 5 ? [`    and ${open.length - 5} more`] : []),
    ]),
  ];
}

function secretLines({ secrets }: ReplayReport): readonly string[] {
  if (secrets.length === 0) return [];
  const lines = secrets.slice(0, 20).map(({ file, id, where, count }) => {
    const place = id === '' ? 'a message' : `${where === 'arguments' ? 'the arguments' : 'the result'} of ${id}`;
    return `  ${file}: ${count} in ${place}`;
  });
  return [
    '',
    'Secrets in plain sight:',
    ...lines,
    ...(secrets.length > 20 ? [`  and ${secrets.length - 20} more places`] : []),
  ];
}

function summary({ calls, counts, claims, unverified, distinctSecrets, damaged, knowledge }: ReplayReport): string {
  const parts = (Object.keys(WORDS) as CallVerdict['verdict'][]).map(
    (verdict) => `${counts[verdict]} ${WORDS[verdict]}`,
  );
  return [
    `${calls.length} calls against ${knowledge}: ${parts.join(', ')}`,
    `${claims} claims, ${unverified.length} never verified; ${distinctSecrets} secrets in plain sight; ${damaged.length} damaged lines skipped`,
  ].join('\n');
}

function gapLines({ gaps }: ReplayReport): readonly string[] {
  if (gaps.length === 0) return [];
  return [
    '',
    'The most frequent gaps:',
    ...gaps.map(({ gap, count, example }) => `  ${String(count).padStart(5)}  ${gap}   (${cut(example, 60)})`),
  ];
}

/** What another policy would change, with both reasons. */
export function renderChanges(call: CommandCall, changes: readonly ChangedCall[], calls: number): string {
  const lines = changes.flatMap(({ before, after }) => [
    `${before.file}  ${before.tool} ${cut(before.about, 100)}`,
    `  before: ${paint(call, STYLES[before.verdict], WORDS[before.verdict])}${because(before)}`,
    `  after:  ${paint(call, STYLES[after.verdict], WORDS[after.verdict])}${because(after)}`,
  ]);
  return [...lines, `${changes.length} of ${calls} calls change their verdict`].join('\n');
}

function because({ why }: ReplayedCall): string {
  return why.length === 0 ? '' : `, ${why.join('; ')}`;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
