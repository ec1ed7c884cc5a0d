import type { Proposal, ReviewDecision } from '@warrant/core';
import type { ChangePreview } from './gate-types.ts';
import { type Paint, renderChange, shownRule } from './render.ts';
import { showLine, showName } from './text.ts';

export type ItemView = {
  readonly proposal: Proposal;
  readonly decision: ReviewDecision;
  readonly preview: ChangePreview;
  /** What each piece of evidence is, in a few words; left out where nothing is known. */
  readonly about?: ReadonlyMap<string, string>;
  /** The rule was not on record: it is the one that would decide now. */
  readonly judgedNow?: boolean;
};

/** One proposal as a reviewer reads it: where it stands and why, its evidence, and what approving would change. */
export function renderItem({ proposal, decision, preview, about, judgedNow }: ItemView, paint?: Paint): string {
  const head = [
    `${showName(proposal.id)}  ${showName(proposal.kind)} by ${showName(proposal.proposedBy)}, ${showLine(proposal.proposedAt)}`,
    `status: ${decision.type}${decision.decidedBy === null ? '' : ` by ${showName(decision.decidedBy)}`}`,
    `rule: ${shownRule(decision)}${judgedNow === true ? '  (judged now)' : ''}`,
    ...decision.facts.map((fact) => `  ${fact}`),
    ...decision.reasons.map((item) => `reason: ${showLine(item.message)}`),
    ...(proposal.rationale === undefined ? [] : [`rationale: ${showLine(proposal.rationale)}`]),
    preview.evidence.length === 0 ? 'evidence: none' : 'evidence:',
    ...preview.evidence.map(
      ({ id, known }) => `  ${showName(id)}${known === false ? '  NOT THERE' : aboutText(about?.get(id))}`,
    ),
    ...(decision.type === 'queued' ? preview.reasons.map((item) => `cannot land now: ${showLine(item.message)}`) : []),
  ];
  const changes = decision.type === 'queued' ? preview.changes : [];
  const bodies = changes.map(
    (change) => `${showName(change.kind)} ${showName(change.id)}:\n${renderChange(change.before, change.after, paint)}`,
  );
  const payload = bodies.length > 0 ? bodies.join('') : `payload:\n${renderChange(proposal.payload, proposal.payload)}`;
  return `${head.map((line) => `${line}\n`).join('')}${payload}digest: ${decision.proposal}\n`;
}

function aboutText(text: string | undefined): string {
  return text === undefined ? '' : `  ${showLine(text)}`;
}
