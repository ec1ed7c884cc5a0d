import { readFileSync } from 'node:fs';
import { digest, type Json } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createMemory, DEFAULT_WEIGHTS, type MemoryWrite } from '@warrant/memory';
import { createSqliteMemoryStore } from '@warrant/memory/sqlite';
import type { Benchmark, Result } from './benchmark.ts';

type Turn = {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
};
type Question = { readonly question: string; readonly evidence?: readonly string[]; readonly category: number };
type Sample = { readonly conversation: { readonly [part: string]: unknown }; readonly qa: readonly Question[] };
type Asked = { readonly category: number; readonly turns: number; readonly sessions: number };

/** Best sessions that count: those of the first turns, each once. */
const SESSIONS = 5;
const TURNS = 10;

/** Turns of one dialogue in their order, each with its place. */
function turnsOf({ conversation }: Sample): readonly MemoryWrite[] {
  const names = Object.keys(conversation).filter((name) => /^session_\d+$/.test(name));
  names.sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
  return names.flatMap((name) =>
    (conversation[name] as readonly Turn[]).map((turn, sequence) => ({
      key: `memory/episodic/${turn.dia_id.replace(':', '/').toLowerCase()}`,
      value: turn.blip_caption === undefined ? turn.text : `${turn.text} ${turn.blip_caption}`,
      session: name,
      speaker: turn.speaker,
      sequence,
    })),
  );
}

/** The share of a question's turns, and of its sessions, among what is given for it. */
async function askAll(sample: Sample): Promise<readonly Asked[]> {
  const file = openSqlite(':memory:');
  const memory = createMemory({ store: createSqliteMemoryStore(file) });
  const agent = memory.agent('reader');
  await agent.writeMany(turnsOf(sample));
  const asked: Asked[] = [];
  for (const { question, evidence = [], category } of sample.qa) {
    const gold = new Set(evidence.flatMap((one) => one.match(/D\d+:\d+/g) ?? []).map((one) => one.toLowerCase()));
    if (gold.size === 0) continue;
    const { items } = await agent.retrieve({ query: question, limit: 30 });
    const found = items.map(({ record }) => record.key.slice('memory/episodic/'.length).replace('/', ':'));
    const sessionOf = (turn: string): string => turn.split(':')[0] as string;
    const sessions = new Set([...new Set(found.map(sessionOf))].slice(0, SESSIONS));
    const goldSessions = new Set([...gold].map(sessionOf));
    const first = new Set(found.slice(0, TURNS));
    asked.push({
      category,
      turns: [...gold].filter((turn) => first.has(turn)).length / gold.size,
      sessions: [...goldSessions].filter((session) => sessions.has(session)).length / goldSessions.size,
    });
  }
  await memory.close();
  file.close();
  return asked;
}

function mean(values: readonly number[]): number {
  return (100 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length);
}

function row(name: string, ours: number, goal: number): Result {
  return { name, unit: '%', ours, against: '', theirs: null, ratio: null, goal: `${goal} %`, reached: ours >= goal };
}

/** How much of what a question needs is found, on LoCoMo (not shipped: its licence forbids it), without any model. */
export const benchmark: Benchmark = {
  name: 'memory-locomo',
  run: async () => {
    const path = process.env['WARRANT_LOCOMO'];
    if (path === undefined) {
      console.log('  set WARRANT_LOCOMO to the path of locomo10.json');
      return [];
    }
    console.log(`  weights ${digest(DEFAULT_WEIGHTS as unknown as Json)}`);
    const samples = JSON.parse(readFileSync(path, 'utf8')) as readonly Sample[];
    const asked: Asked[] = [];
    for (const sample of samples) asked.push(...(await askAll(sample)));
    const multi = asked.filter(({ category }) => category === 1);
    return [
      row('turns of ten, default profile', mean(asked.map(({ turns }) => turns)), 80),
      row('sessions of five, default profile', mean(asked.map(({ sessions }) => sessions)), 89),
      row('turns of ten, several hops', mean(multi.map(({ turns }) => turns)), 44),
    ];
  },
};
