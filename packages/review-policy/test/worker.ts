import { createFolderReviewStore } from '../src/files/folder-store.ts';
import { createReviewGate } from '../src/gate.ts';
import { entityProposal } from './folders.ts';

// Files and approves in one folder until the time is over or the process is killed; says what was acknowledged.
const [root = '', name = '', milliseconds = '1000'] = process.argv.slice(2);
const store = createFolderReviewStore({ root, durable: false });
const gate = createReviewGate({ store });
const until = performance.now() + Number(milliseconds);
const say = (what: string, id: string): void => void process.stdout.write(`${what} ${id}\n`);

say('ready', name);
for (let count = 0; performance.now() < until; count += 1) {
  const id = `${name}-${count}`;
  const filed = await gate.file(entityProposal(id, `e-${id}`));
  if (filed.type !== 'queued') throw new Error(`not filed: ${filed.type}`);
  say('filed', id);
  let tried = 0;
  for await (const { proposal, decision } of gate.list({ type: 'queued' })) {
    const vote = {
      proposalId: proposal.id,
      proposal: decision.proposal,
      choice: 'approve' as const,
      by: `voter-${name}`,
    };
    const decided = await gate.decide(vote);
    if (
      decided.type === 'approved' &&
      decided.decidedBy === vote.by &&
      decided.reasons[0]?.code !== 'review.not-pending'
    ) {
      say('approved', proposal.id);
    }
    tried += 1;
    if (tried >= 2) break;
  }
}
