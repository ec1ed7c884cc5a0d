import type { Proposal, ReviewDecision } from '@warrant/core';
import type { PolicyDiff } from './diff.ts';
import type { InvalidProposal } from './evaluate.ts';
import type { Explanation } from './explain.ts';
import type { Recheck, ReviewCounts } from './gate-types.ts';
import type { LintResult } from './lint.ts';
import type { PolicyTestReport } from './policy-tests.ts';
import { showLine, showName } from './text.ts';

/** An explanation as lines: each rule with its conditions, then what would have to change. */
export function renderExplanation(explained: Explanation | InvalidProposal): string {
  if (explained.type === 'invalid-proposal')
    return lines(['not judged:', ...explained.paths.map((path) => `  ${path}`)]);
  const { decision } = explained;
  const out = [`${decision.action} by ${decision.rule ?? '(default)'}: ${showLine(decision.reason)}`];
  for (const fault of decision.faults) out.push(`  ${fault.code} ${fault.path}`);
  for (const rule of explained.rules) {
    out.push(`${rule.rule} (${rule.action}): ${rule.outcome}`);
    for (const trace of rule.conditions) out.push(`  ${trace.outcome.padEnd(11)} ${trace.condition}`);
    if (rule.failure !== null) out.push(`  found ${rule.failure.found}; needs ${rule.failure.remedy}`);
  }
  for (const other of explained.alternatives) {
    out.push(`for ${other.action} by ${other.rule ?? '(default)'}: ${other.changes.join('; ')}`);
  }
  return lines(out);
}

/** Findings, one a line: severity, code, place. */
export function renderLint(result: LintResult): string {
  if (result.findings.length === 0) return 'no findings\n';
  return lines(
    result.findings.map((item) => `${item.severity.padEnd(7)} ${item.code} ${item.path === '' ? '/' : item.path}`),
  );
}

/** Differences of two policies, each with its witness. */
export function renderPolicyDiff(diff: PolicyDiff): string {
  if (diff.type === 'equivalent') return 'equivalent\n';
  if (diff.type === 'invalid') return `the policy ${diff.which} is invalid\n`;
  return lines(
    diff.differences.flatMap((item) => [
      `${item.before.action} (${item.before.rule ?? 'default'}) -> ${item.after.action} (${item.after.rule ?? 'default'})`,
      `  ${JSON.stringify({ kind: item.proposal.kind, proposed_by: item.proposal.proposedBy, payload: item.proposal.payload })}`,
      ...item.assuming.map((fact) => `  assuming ${fact}`),
    ]),
  );
}

/** Results of policy tests, the failed ones in detail, and the rules that no test exercises. */
export function renderPolicyTests(report: PolicyTestReport): string {
  const failed = report.results.filter((result) => !result.passed);
  return lines([
    ...failed.map(
      (result) =>
        `failed ${showName(result.name)}: expected ${JSON.stringify(result.expected)}, got ${JSON.stringify(result.actual)}`,
    ),
    `${report.passed} passed, ${report.failed} failed`,
    ...report.neverExercised.map((rule) => `never exercised: ${rule}`),
  ]);
}

/** One waiting proposal on one line; with `showRule` the rule that let it wait. */
export function renderPending(
  item: { readonly proposal: Proposal; readonly decision: ReviewDecision },
  options: { readonly showRule?: boolean } = {},
): string {
  const { proposal, decision } = item;
  const columns = [showName(proposal.id), proposal.kind, showName(proposal.proposedBy)];
  if (options.showRule === true) columns.push(shownRule(decision));
  return `${columns.join('  ')}\n`;
}

/** The rule of a decision; `(none)` where there was no policy. */
export function shownRule(decision: ReviewDecision): string {
  return decision.rule ?? (decision.policy === null ? '(none)' : '(default)');
}

/** Counts, one a line. */
export function renderCounts(counts: ReviewCounts): string {
  return lines([
    `pending: ${counts.pending}`,
    `approved: ${counts.approved}`,
    `rejected: ${counts.rejected}`,
    `auto_approved_today: ${counts.autoApprovedToday}`,
    `blocked_today: ${counts.blockedToday}`,
    `policy: ${counts.policy}`,
  ]);
}

/** Decisions that another policy would make differently. */
export function renderRecheck(items: readonly Recheck[]): string {
  const changed = items.filter((item) => !item.same);
  return lines([
    ...changed.map(
      (item) =>
        `${showName(item.proposalId)}: ${item.before.action} -> ${item.after.action} (${item.after.rule ?? '(default)'})`,
    ),
    `${changed.length} of ${items.length} decisions would change`,
  ]);
}

export type Paint = { readonly added: (text: string) => string; readonly removed: (text: string) => string };
const PLAIN: Paint = { added: (text) => text, removed: (text) => text };
/** ANSI colours for terminals. */
export const ANSI: Paint = {
  added: (text) => `\u001b[32m${text}\u001b[0m`,
  removed: (text) => `\u001b[31m${text}\u001b[0m`,
};

/** What a proposal would change, line by line: `-` goes, `+` comes. Control characters are escaped. */
export function renderChange(before: object | null, after: object | null, paint: Paint = PLAIN): string {
  const old = linesOf(before);
  const renewed = linesOf(after);
  return common(old, renewed)
    .map(([sign, text]) =>
      sign === '+' ? paint.added(`+ ${text}`) : sign === '-' ? paint.removed(`- ${text}`) : `  ${text}`,
    )
    .map((line) => `${line}\n`)
    .join('');
}

function linesOf(value: object | null): readonly string[] {
  if (value === null) return [];
  return Object.entries(value).flatMap(([key, found]): readonly string[] => {
    if (typeof found === 'string' && found.includes('\n')) {
      return [`${showName(key)}:`, ...found.split('\n').map((line) => `  ${showLine(line)}`)];
    }
    return [`${showName(key)}: ${typeof found === 'string' ? showLine(found) : JSON.stringify(found)}`];
  });
}

// Longest common subsequence over at most 2000 lines a side; longer ones are shown as replaced.
function common(old: readonly string[], renewed: readonly string[]): readonly (readonly [string, string])[] {
  const all = (sign: string, list: readonly string[]): readonly (readonly [string, string])[] =>
    list.map((line) => [sign, line] as const);
  if (old.length > 2000 || renewed.length > 2000) return [...all('-', old), ...all('+', renewed)];
  const width = renewed.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = renewed.length - 1; j >= 0; j -= 1) {
      const same = old[i] === renewed[j];
      const next = same ? (lengths[(i + 1) * width + j + 1] as number) + 1 : 0;
      lengths[i * width + j] = Math.max(
        next,
        lengths[(i + 1) * width + j] as number,
        lengths[i * width + j + 1] as number,
      );
    }
  }
  return walk(old, renewed, (i, j) => lengths[i * width + j] as number);
}

function walk(
  old: readonly string[],
  renewed: readonly string[],
  length: (i: number, j: number) => number,
): readonly (readonly [string, string])[] {
  const out: (readonly [string, string])[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < renewed.length) {
    if (i < old.length && j < renewed.length && old[i] === renewed[j]) {
      out.push([' ', old[i] as string]);
      i += 1;
      j += 1;
    } else if (j >= renewed.length || (i < old.length && length(i + 1, j) >= length(i, j + 1))) {
      out.push(['-', old[i] as string]);
      i += 1;
    } else {
      out.push(['+', renewed[j] as string]);
      j += 1;
    }
  }
  return out;
}

function lines(list: readonly string[]): string {
  return list.map((line) => `${line}\n`).join('');
}
