import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Gap, type GuardOutcome, isoTime } from '@warrant/core';
import { applyImport, loadSeed, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { type LearningCandidate, proposeLearning, renderTree } from '@warrant/grounding';
import { FAILURE_KIND } from '@warrant/grounding/failures';
import { generateNoteKey, openCheckpoint, parseSigner, parseVerifier, verifyJournal } from '@warrant/journal';
import { guardAll, toolResult } from '@warrant/policy';
import { createWorkspace, openWorkspace, type Workspace } from '@warrant/workspace';
import { contents, createScratch, lock, tools } from './files.ts';
import { policyFile } from './policies.ts';

export type DemoResult = {
  readonly outcomes: readonly string[];
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly verified: { readonly entries: number; readonly checkpointSize: number };
};

/** An agent (a script: no model, no network) works on real files behind guarded tools. */
export async function runDemo(say: (text: string) => void): Promise<DemoResult> {
  const folder = createScratch();
  try {
    return await inFolder(folder, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inFolder(folder: string, say: (text: string) => void): Promise<DemoResult> {
  say(`\n1. A workspace in ${folder}, with the filesystem seed and two policies`);
  const workspace = await prepareWorkspace(folder, say);
  try {
    const before = contents(folder);
    const outcomes = await work(workspace, folder, say);
    const after = contents(folder);
    const verified = await prove(workspace, say);
    return { outcomes, before, after, verified };
  } finally {
    await workspace.close();
  }
}

async function prepareWorkspace(folder: string, say: (text: string) => void): Promise<Workspace> {
  const { paths } = await createWorkspace({ directory: folder, policies: ['policies/files.policy.yaml'] });
  mkdirSync(join(paths.folder, 'policies'));
  writeFileSync(join(paths.folder, 'policies/files.policy.yaml'), policyFile(folder));
  const workspace = await openWorkspace({ directory: folder });
  const parsed = parseGraphDocuments([loadSeed('filesystem')]);
  if (parsed.type === 'invalid') throw new Error('the seed has faults');
  const plan = await planImport(workspace.graph, parsed.documents, { clock: workspace.clock });
  if (plan.type === 'invalid') throw new Error('the seed cannot be imported');
  await applyImport(workspace.graph, plan);
  const policies = await workspace.policies.enforced();
  say(`   ${plan.added.length} concepts, ${policies.placements.length} policies`);
  return workspace;
}

function guardedTools(workspace: Workspace) {
  return guardAll(
    {
      list_directory: { tool: tools.list_directory, concepts: ['list', 'directory'] },
      create_file: { tool: tools.create_file, concepts: ['create', 'file'] },
      overwrite_file: { tool: tools.overwrite_file, concepts: ['write', 'file'] },
      delete_file: { tool: tools.delete_file, concepts: ['delete', 'file'] },
      archive_directory: { tool: tools.archive_directory, concepts: ['archive', 'directory'] },
    },
    { ...workspace.guarding, wait: false, onFailure: workspace.onFailure },
  );
}

async function work(workspace: Workspace, folder: string, say: (text: string) => void): Promise<readonly string[]> {
  const agent = guardedTools(workspace);
  const outcomes: string[] = [];
  const note = (call: string, outcome: GuardOutcome<unknown>) => {
    outcomes.push(`${call}: ${outcome.type}`);
    say(`   agent> ${call}\n${indent(toolResult(outcome))}`);
    return outcome;
  };
  const at = (path: string) => join(folder, path);

  say('\n2. What is known and permitted runs');
  note('list notes', await agent.list_directory({ path: at('notes') }));
  note('create notes/new.md', await agent.create_file({ path: at('notes/new.md'), text: 'fresh\n' }));
  note('delete notes/old.md', await agent.delete_file({ path: at('notes/old.md') }));

  say('\n3. A hard policy: the file stays, whoever asks');
  note('delete protected/ledger.csv', await agent.delete_file({ path: at('protected/ledger.csv') }));
  note('delete the same by another spelling', await agent.delete_file({ path: at('notes/../protected/./ledger.csv') }));

  say('\n4. A question: the call waits for a person, and the answer is good for this call alone');
  const overwrite = () => agent.overwrite_file({ path: at('notes/todo.md'), text: '- water the plants twice\n' });
  const waiting = note('overwrite notes/todo.md', await overwrite());
  await answer(workspace, waiting, say);
  note('overwrite notes/todo.md, again', await overwrite());
  note('overwrite notes/new.md', await agent.overwrite_file({ path: at('notes/new.md'), text: 'other\n' }));

  say('\n5. An unknown concept: refused with its gaps, learned under approval, then it runs');
  const archive = () => agent.archive_directory({ path: at('reports'), into: at('archive') });
  note('archive reports', await archive());
  await learn(workspace, ['archive', 'directory'], say);
  note('archive reports, again', await archive());

  say('\n6. A failure reveals what was not modelled: proposed, approved, and the next check knows it');
  await failOnce(workspace, agent, at, note, say);
  return outcomes;
}

/** The operating system refuses; the constraint behind it becomes knowledge once a person agrees. */
async function failOnce(
  workspace: Workspace,
  agent: ReturnType<typeof guardedTools>,
  at: (path: string) => string,
  note: (call: string, outcome: GuardOutcome<unknown>) => unknown,
  say: (text: string) => void,
): Promise<void> {
  const { reviewer, config, grounder } = workspace;
  const locked = at('archive/locked');
  lock(locked);
  const archive = () => agent.archive_directory({ path: at('notes'), into: locked });
  note('archive notes into a locked folder', await archive());
  for await (const { proposal, decision } of reviewer.list({ type: 'queued', kind: FAILURE_KIND })) {
    say(`   review> ${proposal.rationale ?? ''} (${proposal.kind})`);
    await reviewer.decide({
      proposalId: proposal.id,
      proposal: decision.proposal,
      choice: 'approve',
      by: config.person,
    });
  }
  say(indent(renderTree(await grounder.check({ concepts: ['archive', 'directory'] }), { ascii: true })));
  note('archive notes, after the lesson', await archive());
}

async function answer(
  { inbox, clock, config }: Workspace,
  outcome: GuardOutcome<unknown>,
  say: (text: string) => void,
): Promise<void> {
  if (outcome.type !== 'pending') throw new Error('nothing waits');
  const { question } = outcome;
  const answered = await inbox.answer({
    questionId: question.id,
    subject: question.subject,
    choice: 'allow',
    answeredBy: config.person,
    answeredAt: isoTime(clock),
  });
  say(`   person> allow (${answered.type})`);
}

/** The agent proposes what closes each gap, a person approves it, and only then it is in the graph. */
async function learn(workspace: Workspace, concepts: readonly string[], say: (text: string) => void): Promise<void> {
  const { grounder, reviewer, config, clock, ids } = workspace;
  for (let round = 0; round < 5; round += 1) {
    const { grounded, gaps } = await grounder.check({ concepts });
    const [gap] = gaps;
    if (grounded || gap === undefined) return;
    say(`   agent> ${titleOf(gap)}`);
    const filed = await proposeLearning(
      reviewer,
      { gap, candidate: propose(gap), query: { concepts }, proposedBy: config.agent },
      { clock, ids },
    );
    const decided = await reviewer.decide({
      proposalId: filed.proposalId,
      proposal: filed.proposal,
      choice: 'approve',
      by: config.person,
    });
    say(
      `   review> ${filed.type} for a person, then ${decided.type} by ${decided.decidedBy ?? 'nobody'}; in the graph: ${decided.applied}`,
    );
  }
}

function propose(gap: Gap): LearningCandidate {
  switch (gap.type) {
    case 'existence':
      return { type: 'existence', name: gap.concept, identity: { level: 1, properties: { text: MEANING } } };
    case 'reachability':
      return {
        type: 'reachability',
        source: gap.concept,
        target: 'directory',
        relation: 'applies-to',
        sourceDepth: 1,
        targetDepth: 1,
      };
    default:
      return { type: gap.type, levels: gap.missing.map((level) => ({ level, properties: { text: MEANING } })) };
  }
}

const MEANING = 'Moving what is no longer in use to a place of its own, where it can be found again.';

function titleOf(gap: Gap): string {
  if (gap.type === 'existence') return `May '${gap.concept}' become a concept of the graph?`;
  if (gap.type === 'reachability') return `May '${gap.concept}' apply to 'directory'?`;
  return 'May these levels be added?';
}

async function prove(workspace: Workspace, say: (text: string) => void): Promise<DemoResult['verified']> {
  say('\n7. What was known when the file was deleted');
  say(indent(renderTree(await workspace.grounder.check({ concepts: ['delete', 'file'] }), { colour: false })));
  say('\n8. The record: everything above, in order, verified against a signed checkpoint');
  const key = generateNoteKey('demo.example/journal');
  const note = await workspace.journal.checkpoint({ origin: 'demo.example/journal', signer: parseSigner(key.signer) });
  const verifiers = [parseVerifier(key.verifier)];
  const verified = await verifyJournal(workspace.journal, { checkpoints: [note], verifiers });
  if (verified.type !== 'intact') throw new Error(`the journal is damaged: ${JSON.stringify(verified.damage)}`);
  const { size } = openCheckpoint(note, verifiers);
  say(
    `   ${verified.entries} entries in ${verified.streams} ${verified.streams === 1 ? 'stream' : 'streams'}, checkpoint of size ${size}: intact`,
  );
  return { entries: verified.entries, checkpointSize: size };
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `     ${line}`)
    .join('\n');
}
