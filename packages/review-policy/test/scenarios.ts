import { createVirtualClock, type Proposal } from '@warrant/core';
import type { FileOps } from '../src/files/file-ops.ts';
import { createFolderReviewStore } from '../src/files/folder-store.ts';
import { createFolderSettings } from '../src/files/settings.ts';
import { createReviewGate } from '../src/gate.ts';
import type { ReviewGate } from '../src/gate-types.ts';
import { entityProposal } from './folders.ts';

export const POLICY = `review:
  policy:
    rules:
      - name: trusted
        when: {actor: robot, kind: entity}
        action: auto_approve
      - name: named
        when: {kind: page, payload_has: replaces}
        action: auto_approve
`;
const ID = '20261130-000000-00000001';
const clock = createVirtualClock('2026-11-30T00:00:00.000Z');

export function open(
  root: string,
  files: FileOps,
): { readonly gate: ReviewGate; readonly verify: () => Promise<{ readonly ok: boolean }> } {
  const store = createFolderReviewStore({ root, files, durable: false, clock });
  return {
    gate: createReviewGate({ store, clock, settings: createFolderSettings(root, { files }) }),
    verify: () => store.verify(),
  };
}

async function decide(gate: ReviewGate, choice: 'approve' | 'reject'): Promise<void> {
  const seen = await gate.status(ID);
  if (seen === undefined) throw new Error('not filed');
  await gate.decide({ proposalId: ID, proposal: seen.proposal, choice, by: 'alice', reason: 'because' });
}

const page = (replaces: boolean): Proposal => ({
  ...entityProposal(ID, 'p'),
  kind: 'page',
  payload: { id: 'p', title: 't', body: replaces ? 'new' : 'old', ...(replaces && { replaces: 'p' }) },
});

/** One change of a folder, to be cut off anywhere. */
export type Scenario = {
  readonly name: string;
  readonly prepare: (gate: ReviewGate) => Promise<void>;
  readonly act: (gate: ReviewGate) => Promise<unknown>;
};

export const scenarios: readonly Scenario[] = [
  { name: 'file', prepare: async () => undefined, act: (gate) => gate.file(entityProposal(ID, 'e')) },
  {
    name: 'file, approved by rule',
    prepare: async () => undefined,
    act: (gate) => gate.file(entityProposal(ID, 'e', 'robot')),
  },
  {
    name: 'approve',
    prepare: async (gate) => void (await gate.file(entityProposal(ID, 'e'))),
    act: (gate) => decide(gate, 'approve'),
  },
  {
    name: 'reject',
    prepare: async (gate) => void (await gate.file(entityProposal(ID, 'e'))),
    act: (gate) => decide(gate, 'reject'),
  },
  {
    name: 'delete',
    prepare: async (gate) => {
      await gate.file({ ...entityProposal('20261130-000000-00000000', 'e', 'robot') });
      await gate.file({ ...entityProposal(ID, 'e'), kind: 'delete', payload: { target_kind: 'entity', id: 'e' } });
    },
    act: (gate) => decide(gate, 'approve'),
  },
  {
    name: 'overwrite a page',
    prepare: async (gate) => {
      await gate.file({ ...page(false), id: '20261130-000000-00000000' });
      const seen = await gate.status('20261130-000000-00000000');
      await gate.decide({
        proposalId: '20261130-000000-00000000',
        proposal: seen?.proposal ?? 'sha256:',
        choice: 'approve',
        by: 'alice',
      });
    },
    act: (gate) => gate.file(page(true)),
  },
  {
    name: 'update',
    prepare: async (gate) => void (await gate.file(entityProposal(ID, 'e'))),
    act: (gate) => gate.update({ proposalId: ID, by: 'scribe', payload: { id: 'e', name: 'other', type: 'tool' } }),
  },
];
