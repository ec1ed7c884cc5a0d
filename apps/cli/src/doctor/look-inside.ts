import { verifyJournal } from '@warrant/journal';
import { findOrphans } from '@warrant/policy';
import type { Workspace } from '@warrant/workspace';
import { Ailment, type Finding, findingOf } from './finding.ts';

/** What only an open workspace can tell. */
export async function workspaceFindings(workspace: Workspace): Promise<readonly Finding[]> {
  return [
    await findingOf('policies', () => checkPolicies(workspace)),
    await findingOf('journal', () => checkJournal(workspace)),
    await findingOf('outbox', () => checkOutbox(workspace)),
  ];
}

async function checkPolicies({ policies, graph }: Workspace): Promise<string> {
  const set = await policies.load();
  const orphans = await findOrphans(set.placements, graph);
  if (orphans.length === 0) return `${set.placements.length} placed on edges of the graph`;
  const keys = orphans.map((orphan) => orphan.key).join(', ');
  throw new Ailment(`the graph has no edge for ${keys}: guards refuse to start`);
}

async function checkJournal({ journal }: Workspace): Promise<string> {
  const { damage, entries } = await verifyJournal(journal);
  if (damage !== undefined) throw new Ailment(`damaged: ${JSON.stringify(damage)}`);
  return `${entries} entries verified`;
}

async function checkOutbox({ file }: Workspace): Promise<string> {
  const waiting = await file.outbox.pending(1000);
  if (waiting.length > 0) throw new Ailment(`${waiting.length} records wait for the journal`);
  return 'nothing waits to be recorded';
}
