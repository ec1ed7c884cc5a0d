import type { CommandEntry } from './command.ts';

/** Every command; each file is loaded only when its command is called. */
export const table: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'make a workspace in this folder',
    load: async () => (await import('../commands/init.ts')).command,
  },
  {
    name: 'check',
    summary: 'does the agent know enough about these concepts?',
    load: async () => (await import('../commands/check.ts')).command,
  },
  {
    name: 'graph import',
    summary: 'bring graph documents into the workspace, plan first',
    load: async () => (await import('../commands/graph-import.ts')).command,
  },
  {
    name: 'graph export',
    summary: 'the graph as one document, the same text for the same graph',
    load: async () => (await import('../commands/graph-export.ts')).command,
  },
  {
    name: 'graph diff',
    summary: 'what differs between two graphs',
    load: async () => (await import('../commands/graph-diff.ts')).command,
  },
  {
    name: 'graph show',
    summary: 'the concepts of the graph, or some of them whole',
    load: async () => (await import('../commands/graph-show.ts')).command,
  },
  {
    name: 'graph lint',
    summary: 'what in the graph can hardly be meant',
    load: async () => (await import('../commands/graph-lint.ts')).command,
  },
  {
    name: 'graph seed',
    summary: 'bring in a domain that comes with Warrant',
    load: async () => (await import('../commands/graph-seed.ts')).command,
  },
  {
    name: 'graph draft',
    summary: 'a graph document to edit, from what was asked and not known',
    load: async () => (await import('../commands/graph-draft.ts')).command,
  },
  {
    name: 'graph health',
    summary: 'what served well, what fails or is refused, and what nobody uses',
    load: async () => (await import('../commands/graph-health.ts')).command,
  },
  {
    name: 'graph copy',
    summary: 'a whole graph to another place, proved by its digest',
    load: async () => (await import('../commands/graph-copy.ts')).command,
  },
  {
    name: 'traces',
    summary: 'what was asked lately, and the answers',
    load: async () => (await import('../commands/traces.ts')).command,
  },
  {
    name: 'policy check',
    summary: 'are the policies sound, and is each on an edge of the graph?',
    load: async () => (await import('../commands/policy-check.ts')).command,
  },
  {
    name: 'policy lint',
    summary: 'policies that cannot do what they seem to',
    load: async () => (await import('../commands/policy-lint.ts')).command,
  },
  {
    name: 'policy draft',
    summary: 'a policy document to edit, from what recorded sessions changed',
    load: async () => (await import('../commands/policy-draft.ts')).command,
  },
  {
    name: 'policy explain',
    summary: 'what every policy says to a call, and why',
    load: async () => (await import('../commands/policy-explain.ts')).command,
  },
  {
    name: 'policy test',
    summary: 'run a file of examples with their expected decisions',
    load: async () => (await import('../commands/policy-test.ts')).command,
  },
  {
    name: 'learn',
    summary: 'close gaps under your approval; list and undo what was learned',
    load: async () => (await import('../commands/learn.ts')).command,
  },
  {
    name: 'review',
    summary: 'go through what waits for a person, one by one',
    load: async () => (await import('../commands/review.ts')).command,
  },
  {
    name: 'review pending',
    summary: 'proposals that wait for a person',
    load: async () => (await import('../commands/review-pending.ts')).command,
  },
  {
    name: 'review show',
    summary: 'one proposal: rule, evidence, and what it would change',
    load: async () => (await import('../commands/review-show.ts')).command,
  },
  {
    name: 'review approve',
    summary: 'approve proposals',
    load: async () => (await import('../commands/review-approve.ts')).command,
  },
  {
    name: 'review reject',
    summary: 'reject proposals, with a reason',
    load: async () => (await import('../commands/review-reject.ts')).command,
  },
  {
    name: 'review check',
    summary: 'what would the policy do with this proposal?',
    load: async () => (await import('../commands/review-check.ts')).command,
  },
  {
    name: 'review lint',
    summary: 'rules that cannot do what they seem to',
    load: async () => (await import('../commands/review-lint.ts')).command,
  },
  {
    name: 'review explain',
    summary: 'how every rule fared, and what would have to change',
    load: async () => (await import('../commands/review-explain.ts')).command,
  },
  {
    name: 'review test',
    summary: 'run a file of examples with their expected decisions',
    load: async () => (await import('../commands/review-test.ts')).command,
  },
  {
    name: 'review diff',
    summary: 'a proposal for each way in which two policies differ',
    load: async () => (await import('../commands/review-diff.ts')).command,
  },
  {
    name: 'review status',
    summary: 'counts of today, and damaged files',
    load: async () => (await import('../commands/review-status.ts')).command,
  },
  {
    name: 'review recheck',
    summary: 'which past decisions would another policy change?',
    load: async () => (await import('../commands/review-recheck.ts')).command,
  },
  {
    name: 'review batch',
    summary: 'file many proposals at once',
    load: async () => (await import('../commands/review-batch.ts')).command,
  },
  {
    name: 'review serve',
    summary: 'answer agents, one JSON object a line',
    load: async () => (await import('../commands/review-serve.ts')).command,
  },
  {
    name: 'inbox list',
    summary: 'questions that wait for a person',
    load: async () => (await import('../commands/inbox-list.ts')).command,
  },
  {
    name: 'inbox answer',
    summary: 'answer a question, or several alike at once',
    load: async () => (await import('../commands/inbox-answer.ts')).command,
  },
  {
    name: 'status',
    summary: 'what is in this workspace',
    load: async () => (await import('../commands/status.ts')).command,
  },
  {
    name: 'doctor',
    summary: 'look for what is wrong in this workspace',
    load: async () => (await import('../commands/doctor.ts')).command,
  },
  {
    name: 'backup',
    summary: 'copy the database to a file',
    load: async () => (await import('../commands/backup.ts')).command,
  },
  {
    name: 'restore',
    summary: 'put a copy of the database in its place',
    load: async () => (await import('../commands/restore.ts')).command,
  },
  {
    name: 'shell explain',
    summary: 'what would this command line run, read, write and delete?',
    load: async () => (await import('../commands/shell-explain.ts')).command,
  },
  {
    name: 'shell check',
    summary: 'the same for a file of command lines, with counts',
    load: async () => (await import('../commands/shell-check.ts')).command,
  },
  {
    name: 'replay',
    summary: 'what would have been stopped in a recorded session, and what was claimed unverified?',
    load: async () => (await import('../commands/replay.ts')).command,
  },
  {
    name: 'hook install',
    summary: 'put Warrant into Claude Code: a verdict before each tool, a gate before each stop',
    load: async () => (await import('../commands/hook-install.ts')).command,
  },
  {
    name: 'hook uninstall',
    summary: 'take it out again; what others wrote stays',
    load: async () => (await import('../commands/hook-uninstall.ts')).command,
  },
  {
    name: 'hook status',
    summary: 'where it is installed, in which mode, and would it hold?',
    load: async () => (await import('../commands/hook-status.ts')).command,
  },
  {
    name: 'hook claude-code',
    summary: 'answer one event of Claude Code, which calls this itself',
    load: async () => (await import('../commands/hook-claude-code.ts')).command,
  },
  {
    name: 'serve',
    summary: 'answer the hooks of Claude Code from one process that stays, in milliseconds',
    load: async () => (await import('../commands/serve.ts')).command,
  },
  {
    name: 'gate replay',
    summary: 'which claims of a recorded run were backed by an observation?',
    load: async () => (await import('../commands/gate-replay.ts')).command,
  },
  {
    name: 'chart lint',
    summary: 'is the chart sound, and does it say anything that can hardly be meant?',
    load: async () => (await import('../commands/chart-lint.ts')).command,
  },
  {
    name: 'chart run',
    summary: 'type events and watch the states change; time is virtual',
    load: async () => (await import('../commands/chart-run.ts')).command,
  },
  {
    name: 'chart step',
    summary: 'one event: the state after it and what it asks the outside to do, as JSON',
    load: async () => (await import('../commands/chart-step.ts')).command,
  },
  {
    name: 'chart explain',
    summary: 'why does an event move the chart, or not?',
    load: async () => (await import('../commands/chart-explain.ts')).command,
  },
  {
    name: 'chart convert',
    summary: 'the same chart as SCXML, YAML or JSON',
    load: async () => (await import('../commands/chart-convert.ts')).command,
  },
  {
    name: 'chart diagram',
    summary: 'the chart as a Mermaid diagram',
    load: async () => (await import('../commands/chart-diagram.ts')).command,
  },
  {
    name: 'agent run',
    summary: 'run an agent: a chart, a file with its deciders and tools, and events',
    load: async () => (await import('../commands/agent-run.ts')).command,
  },
  {
    name: 'agent status',
    summary: 'where an agent is, and what it waits for',
    load: async () => (await import('../commands/agent-status.ts')).command,
  },
  {
    name: 'agent inbox',
    summary: 'questions that agents wait for a person with',
    load: async () => (await import('../commands/agent-inbox.ts')).command,
  },
  {
    name: 'agent journal',
    summary: 'what an agent was told and decided, entry by entry',
    load: async () => (await import('../commands/agent-journal.ts')).command,
  },
  {
    name: 'agent fork',
    summary: 'go on from a past entry under another name',
    load: async () => (await import('../commands/agent-fork.ts')).command,
  },
  {
    name: 'agent propose',
    summary: 'ask reviewers to let an agent run by another chart',
    load: async () => (await import('../commands/agent-propose.ts')).command,
  },
  {
    name: 'agent explain',
    summary: 'why this move, what else was open, who was asked, what did they see?',
    load: async () => (await import('../commands/agent-explain.ts')).command,
  },
  {
    name: 'agent graph',
    summary: 'how a run came about, as Turtle, N-Triples, JSON-LD or JSON',
    load: async () => (await import('../commands/agent-graph.ts')).command,
  },
  {
    name: 'journal read',
    summary: 'entries of a stream',
    load: async () => (await import('../commands/journal-read.ts')).command,
  },
  {
    name: 'journal tail',
    summary: 'entries as they come',
    load: async () => (await import('../commands/journal-tail.ts')).command,
  },
  {
    name: 'journal verify',
    summary: 'was anything changed, removed or slipped in?',
    load: async () => (await import('../commands/journal-verify.ts')).command,
  },
  {
    name: 'journal prove',
    summary: 'a proof that one entry is in the record',
    load: async () => (await import('../commands/journal-prove.ts')).command,
  },
  {
    name: 'journal checkpoint',
    summary: 'sign what the record holds now',
    load: async () => (await import('../commands/journal-checkpoint.ts')).command,
  },
  {
    name: 'journal export',
    summary: 'the record as JSONL',
    load: async () => (await import('../commands/journal-export.ts')).command,
  },
  {
    name: 'journal import',
    summary: 'take over an export, checked line by line',
    load: async () => (await import('../commands/journal-import.ts')).command,
  },
  {
    name: 'journal fork',
    summary: 'go on from a past entry in a new stream',
    load: async () => (await import('../commands/journal-fork.ts')).command,
  },
  {
    name: 'journal archive',
    summary: 'move old sealed entries out; proofs still verify',
    load: async () => (await import('../commands/journal-archive.ts')).command,
  },
  {
    name: 'journal stats',
    summary: 'growth of each stream',
    load: async () => (await import('../commands/journal-stats.ts')).command,
  },
  {
    name: 'memory add',
    summary: 'remember something, as a person',
    load: async () => (await import('../commands/memory-add.ts')).command,
  },
  {
    name: 'memory get',
    summary: 'what is remembered under a key, now or at another time',
    load: async () => (await import('../commands/memory-get.ts')).command,
  },
  {
    name: 'memory search',
    summary: 'find what is remembered about something',
    load: async () => (await import('../commands/memory-search.ts')).command,
  },
  {
    name: 'memory explain',
    summary: 'why was this found, or who may write there?',
    load: async () => (await import('../commands/memory-explain.ts')).command,
  },
  {
    name: 'memory list',
    summary: 'everything that is remembered, by key',
    load: async () => (await import('../commands/memory-list.ts')).command,
  },
  {
    name: 'memory conflicts',
    summary: 'memories that contradict each other',
    load: async () => (await import('../commands/memory-conflicts.ts')).command,
  },
  {
    name: 'memory review',
    summary: 'changes of memory that wait for a person',
    load: async () => (await import('../commands/memory-review.ts')).command,
  },
  {
    name: 'memory sweep',
    summary: 'archive what has expired, decayed or gone unused',
    load: async () => (await import('../commands/memory-sweep.ts')).command,
  },
  {
    name: 'memory skills',
    summary: 'instructions for agents, with their health',
    load: async () => (await import('../commands/memory-skills.ts')).command,
  },
  {
    name: 'memory stats',
    summary: 'how much is remembered, and how well it serves',
    load: async () => (await import('../commands/memory-stats.ts')).command,
  },
  {
    name: 'memory doctor',
    summary: 'look for what is wrong in the memory, and propose a clean-up',
    load: async () => (await import('../commands/memory-doctor.ts')).command,
  },
  {
    name: 'memory import',
    summary: 'take over memories of other systems, as less trusted',
    load: async () => (await import('../commands/memory-import.ts')).command,
  },
  {
    name: 'memory export',
    summary: 'everything remembered, as JSONL',
    load: async () => (await import('../commands/memory-export.ts')).command,
  },
  {
    name: 'memory forget',
    summary: 'erase everything about somebody',
    load: async () => (await import('../commands/memory-forget.ts')).command,
  },
  {
    name: 'peer keygen',
    summary: 'make the key under which this workspace publishes',
    load: async () => (await import('../commands/peer-keygen.ts')).command,
  },
  {
    name: 'peer export',
    summary: 'publish concepts as a signed bundle',
    load: async () => (await import('../commands/peer-export.ts')).command,
  },
  {
    name: 'peer add',
    summary: 'pin a peer: its key, and what it may speak about',
    load: async () => (await import('../commands/peer-add.ts')).command,
  },
  {
    name: 'peer plan',
    summary: 'what would this bundle change here?',
    load: async () => (await import('../commands/peer-plan.ts')).command,
  },
  {
    name: 'peer import',
    summary: 'propose a bundle for review; applied once approved',
    load: async () => (await import('../commands/peer-import.ts')).command,
  },
  {
    name: 'peer list',
    summary: 'who is pinned, and what came from them',
    load: async () => (await import('../commands/peer-list.ts')).command,
  },
  {
    name: 'peer revoke',
    summary: 'take back what a peer brought, and refuse it from now on',
    load: async () => (await import('../commands/peer-revoke.ts')).command,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('../commands/completion.ts')).command,
  },
  {
    name: 'version',
    summary: "print this program's version",
    load: async () => (await import('../commands/version.ts')).command,
  },
];
