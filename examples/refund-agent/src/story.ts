import { canonicalJson, type Inbox, type Journal, type Json } from '@warrant/core';
import { type AgentHost, createAgentHost, recordOf, streamOf } from '@warrant/decide';
import { refundKit } from './kit.ts';

const actorOf = (amount: number) => `https://example.org/agents/refund/${amount}`;
const request = (amount: number) => ({
  name: 'request',
  id: 'request',
  data: { customer: 'C-9', amount, clerk: 'urn:person:clerk' },
});

/** Runs until it holds; the people's answers reach the agent by themselves. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function vote(inbox: Inbox, person: string, choice: string): Promise<string> {
  const [question] = await inbox.pending({ kind: 'decision' });
  if (question === undefined) return 'nothing is asked';
  const { id: questionId, subject } = question;
  return (
    await inbox.answer({ questionId, subject, choice, answeredBy: person, answeredAt: '2026-01-01T00:00:00.000Z' })
  ).type;
}

/** One refund within the limit, one above it, with the host reopened between the votes. */
export async function runStory(
  journal: Journal,
  inbox: Inbox,
  print: (line: string) => void,
): Promise<{ readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const expect = (holds: boolean, what: string) => void (holds || faults.push(what));
  const kit = refundKit(inbox);
  const open = (): AgentHost => createAgentHost({ ...kit, journal });
  const first = open();
  for (const amount of [60, 250]) {
    await first.spawn(actorOf(amount), 'refund');
    await first.send(actorOf(amount), request(amount));
  }
  await until(async () => (await inbox.pending()).length === 3);
  await first.settled();
  print(`60: ${JSON.stringify((await first.state(actorOf(60))).result)}`);
  print(`250: ${(await first.state(actorOf(250))).sessions[0]?.chart.configuration.join()}, three people are asked`);
  expect(kit.payments.length === 1, 'what is within the limit is paid, what is above it is not');
  expect((await vote(inbox, 'urn:person:clerk', 'approve')) === 'forbidden', 'the clerk does not decide');
  print(
    `ann: ${await vote(inbox, 'urn:person:ann', 'approve')}; ann again: ${await vote(inbox, 'urn:person:ann', 'approve')}`,
  );
  await first.close();

  const second = open();
  await second.state(actorOf(250));
  print(`bob: ${await vote(inbox, 'urn:person:bob', 'approve')}`);
  await until(async () => (await second.state(actorOf(250))).status !== 'running');
  const end = await second.state(actorOf(250));
  print(`250: ${JSON.stringify(end.result)}; models: ${end.usage.calls} call`);
  expect(
    kit.payments.length === 2 && (await inbox.pending()).length === 0,
    'two of three were enough, and it was paid once',
  );
  for await (const entry of journal.read(streamOf(actorOf(250)))) {
    const record = recordOf(entry);
    const taken =
      record.type === 'input'
        ? record.facts.flatMap((fact) => (fact.type === 'moved' ? [`[${fact.to.join()}]`] : []))
        : [];
    print(`  ${entry.position} ${entry.type} ${taken.join(' ')}`.trimEnd());
  }
  await forkAndLook(second, { journal, kit, expect, print });
  await second.close();
  return { faults };
}

type Look = {
  readonly journal: Journal;
  readonly kit: ReturnType<typeof refundKit>;
  readonly expect: (holds: boolean, what: string) => void;
  readonly print: (line: string) => void;
};

async function forkAndLook(host: AgentHost, { journal, kit, expect, print }: Look): Promise<void> {
  const asked = kit.model.requests.length;
  const [from, fork] = [actorOf(250), `${actorOf(250)}/fork-1`];
  await host.fork(from, 2, fork, [
    { correlation: '2.0', answer: { type: 'decision', event: 'decline', payload: null } },
  ]);
  const late = await host.state(fork);
  print(
    `fork at 2: ${late.sessions[0]?.chart.configuration.join() || JSON.stringify(late.result)}; models asked since: ${kit.model.requests.length - asked}`,
  );
  expect(kit.model.requests.length === asked && late.status === 'done', 'a fork asks no model');
  const bare = createAgentHost({ agents: kit.agents, journal });
  const same =
    canonicalJson((await bare.state(from)) as unknown as Json) ===
    canonicalJson((await host.state(from)) as unknown as Json);
  print(`opened with nobody bound: ${same ? 'the same state' : 'another state'}`);
  expect(same, 'a host with nobody bound reads the same state');
  await bare.close();
}
