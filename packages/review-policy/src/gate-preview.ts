import type { JsonObject, Proposal } from '@warrant/core';
import type { InvalidProposal } from './evaluate.ts';
import { type Explanation, explainAs } from './explain.ts';
import { evidenceIds, toContext } from './gate-check.ts';
import { type GateCore, gather, plan } from './gate-core.ts';
import type { ChangePreview } from './gate-types.ts';
import type { ParsedPolicy } from './policy.ts';
import { subjectFaults } from './proposal.ts';

/** Judges with everything that filing would read; nothing is written. */
export async function explainProposal(
  core: GateCore,
  proposal: Proposal,
  policy?: ParsedPolicy,
): Promise<Explanation | InvalidProposal> {
  const paths = subjectFaults(proposal, core.kinds());
  if (paths.length > 0) return { type: 'invalid-proposal', paths };
  const judging = policy ?? (await core.settings()).policy;
  const { subject, profile, context } = await gather(core, judging, proposal);
  return explainAs(judging, subject, profile, toContext(context));
}

/** What an approval by this person would change now. */
export async function previewChange(core: GateCore, proposal: Proposal, by: string): Promise<ChangePreview> {
  const { store } = core.options;
  const ids = evidenceIds(proposal, core.kinds());
  const known = ids.length === 0 ? [] : await store.known(ids, proposal.kind);
  const evidence = ids.map((id) => ({ id, known: known === null ? null : known.includes(id) }));
  if (core.registered.has(proposal.kind)) {
    const change = { kind: proposal.kind, id: proposal.id, before: null, after: proposal.payload };
    return { changes: [change], reasons: [], evidence };
  }
  const planned = await plan(core, proposal, { by, at: core.now(), auto: false });
  if (planned.type === 'refused') return { changes: [], reasons: planned.reasons, evidence };
  const changes: ChangePreview['changes'][number][] = [];
  for (const change of planned.changes) {
    const before: JsonObject | null = (await store.artifact(change.kind, change.id)) ?? null;
    changes.push({ kind: change.kind, id: change.id, before, after: change.type === 'delete' ? null : change.body });
  }
  return { changes, reasons: [], evidence };
}
