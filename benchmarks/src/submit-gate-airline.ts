import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from '@warrant/core';
import {
  createGate,
  type GateConfig,
  type Postcondition,
  type PostconditionAnswer,
  readMessage,
  type ToolContract,
} from '@warrant/submit-gate';
import type { Benchmark, Result } from './benchmark.ts';

// Public airline conversations (MIT): `historical_trajectories/gpt-4o-airline.json` of github.com/sierra-research/tau-bench.
// Nothing is fetched: name a copy of the file in WARRANT_AIRLINE. The contracts below are ours; they were tuned on
// conversations with an even index alone.

type Message = {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
};
type Conversation = { readonly reward: number; readonly traj: readonly Message[] };
export type Call = { readonly tool: string; readonly args: JsonObject; readonly result: string };
export type Step =
  | { readonly type: 'call'; readonly call: Call }
  | { readonly type: 'said' | 'report'; readonly text: string };

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

const holds: PostconditionAnswer = { type: 'holds' };

function record(name: string, same: (args: JsonObject, record: JsonObject) => boolean): Postcondition {
  return {
    name,
    check: (args, result) => {
      if (typeof result !== 'object' || result === null || Array.isArray(result))
        return { type: 'unknown', message: 'the answer is no record' };
      return same(args, result as JsonObject)
        ? holds
        : { type: 'fails', message: 'the record is not what was asked for' };
    },
  };
}

const sameId = (args: JsonObject, result: JsonObject): boolean => args['reservation_id'] === result['reservation_id'];
const numbers = (value: Json | undefined): string =>
  Array.isArray(value)
    ? (value as readonly JsonObject[])
        .map((flight) => `${textOf(flight['flight_number'])}@${textOf(flight['date'])}`)
        .join()
    : '';
const names = (value: Json | undefined): string =>
  Array.isArray(value)
    ? (value as readonly JsonObject[])
        .map((person) => `${textOf(person['first_name'])} ${textOf(person['last_name'])}`)
        .join()
    : '';
const errors = ['Error'];
const change = (name: string, same: (args: JsonObject, record: JsonObject) => boolean): ToolContract => ({
  kind: 'write',
  result: 'json',
  errors,
  targets: ['/reservation_id'],
  readBefore: ['/reservation_id'],
  ownAnswer: record(name, (args, result) => sameId(args, result) && same(args, result)),
  verifyWith: { tool: 'get_reservation_details', arguments: { reservation_id: '/reservation_id' } },
});

export const AIRLINE_TOOLS: { readonly [tool: string]: ToolContract } = {
  get_user_details: { kind: 'read', result: 'json', errors, targets: ['/user_id'], shows: ['/reservations/*'] },
  get_reservation_details: {
    kind: 'read',
    result: 'json',
    errors,
    targets: ['/reservation_id'],
    shows: ['/reservation_id', '/user_id'],
  },
  search_direct_flight: { kind: 'read', result: 'json', errors, targets: [] },
  search_onestop_flight: { kind: 'read', result: 'json', errors, targets: [] },
  list_all_airports: { kind: 'read', result: 'json', errors, targets: [] },
  calculate: { kind: 'neutral' },
  think: { kind: 'neutral' },
  transfer_to_human_agents: { kind: 'neutral' },
  update_reservation_flights: change(
    'flights',
    (args, result) => numbers(args['flights']) === numbers(result['flights']),
  ),
  update_reservation_passengers: change(
    'passengers',
    (args, result) => names(args['passengers']) === names(result['passengers']),
  ),
  update_reservation_baggages: change(
    'baggages',
    (args, result) => args['total_baggages'] === result['total_baggages'],
  ),
  cancel_reservation: change('cancelled', (_args, result) => result['status'] === 'cancelled'),
  book_reservation: {
    kind: 'write',
    result: 'json',
    errors,
    targets: ['/user_id'],
    readBefore: ['/user_id'],
    ownAnswer: record(
      'booked',
      (args, result) =>
        args['user_id'] === result['user_id'] &&
        numbers(args['flights']) === numbers(result['flights']) &&
        typeof result['reservation_id'] === 'string',
    ),
  },
  send_certificate: {
    kind: 'write',
    errors,
    targets: ['/user_id'],
    readBefore: ['/user_id'],
    ownAnswer: {
      name: 'certificate',
      check: (args, result) =>
        typeof result === 'string' &&
        result.includes(textOf(args['user_id'])) &&
        result.includes(textOf(args['amount']))
          ? holds
          : { type: 'unknown', message: 'the answer names another person or amount' },
    },
  },
};

export const AIRLINE: GateConfig = {
  tools: AIRLINE_TOOLS,
  settings: { trailingError: 'refuse', openAssertions: 'refuse', namedChanges: 'refuse' },
};

function parsed(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return { $text: text };
  }
}

/** What happened, in order. */
export function stepsOf(conversation: Conversation): readonly Step[] {
  const steps: Step[] = [];
  const results = new Map<string, string>();
  const list = conversation.traj as readonly (Message & { readonly tool_call_id?: string })[];
  for (const message of list)
    if (message.role === 'tool' && message.tool_call_id !== undefined)
      results.set(message.tool_call_id, message.content ?? '');
  for (const message of list) {
    if (message.role === 'user') steps.push({ type: 'said', text: message.content ?? '' });
    if (message.role !== 'assistant') continue;
    if (message.content !== null && message.content !== '') steps.push({ type: 'report', text: message.content });
    for (const call of message.tool_calls ?? []) {
      steps.push({
        type: 'call',
        call: { tool: call.function.name, args: parsed(call.function.arguments), result: results.get(call.id) ?? '' },
      });
    }
  }
  return steps;
}

/** The last message that claims something; politeness and questions at the end are no report. */
export function lastReport(steps: readonly Step[]): string {
  const reports = steps.flatMap((step) => (step.type === 'report' ? [step.text] : []));
  return reports.findLast((text) => readMessage(text).type !== 'none') ?? reports.at(-1) ?? '';
}

/** One turn, one submit at the end. */
export function isRefused(steps: readonly Step[], config: GateConfig = AIRLINE): boolean {
  const gate = createGate(config);
  let state = gate.initial;
  let seq = 0;
  for (const step of steps) {
    if (step.type !== 'call') continue;
    const call = { id: `c${seq}`, tool: step.call.tool, arguments: step.call.args };
    seq += 2;
    state = gate.start(state, { call, startSeq: seq - 1, effects: gate.effectsOf(call) });
    state = gate.observe(state, {
      callId: call.id,
      endSeq: seq,
      outcome: step.call.result.startsWith('Error') ? 'error' : 'ok',
      result: step.call.result,
    });
  }
  return gate.submit(state, readMessage(lastReport(steps)).claim).verdict.type === 'refused';
}

const isCall = (step: Step): step is Step & { readonly type: 'call' } => step.type === 'call';
const writes = (step: Step): boolean => isCall(step) && AIRLINE_TOOLS[step.call.tool]?.kind === 'write';
const worked = (step: Step): boolean => isCall(step) && !step.call.result.startsWith('Error');
const broken = (step: Step): Step =>
  isCall(step) ? { type: 'call', call: { ...step.call, result: 'Error: the service is not available' } } : step;

type Damage = {
  readonly name: string;
  readonly applies: (steps: readonly Step[]) => boolean;
  readonly damage: (steps: readonly Step[]) => readonly Step[];
};

const lastWrite = (steps: readonly Step[]): number => steps.findLastIndex((step) => writes(step) && worked(step));
/** Something was changed, or nobody was asked to go on. */
const reportsItself = (steps: readonly Step[]): boolean =>
  lastWrite(steps) >= 0 || !steps.some((step) => isCall(step) && step.call.tool === 'transfer_to_human_agents');
export const DAMAGES: readonly Damage[] = [
  {
    name: 'last change fails',
    applies: (steps) => lastWrite(steps) >= 0,
    damage: (steps) => steps.map((step, index) => (index === lastWrite(steps) ? broken(step) : step)),
  },
  {
    name: 'last change removed',
    applies: (steps) => lastWrite(steps) >= 0,
    damage: (steps) => steps.filter((_, index) => index !== lastWrite(steps)),
  },
  {
    name: 'all looks removed',
    applies: reportsItself,
    damage: (steps) => steps.filter((step) => !isCall(step) || writes(step)),
  },
  {
    name: 'last call fails',
    applies: reportsItself,
    damage: (steps) => steps.map((step, index) => (index === steps.findLastIndex(isCall) ? broken(step) : step)),
  },
];

type Half = 'even' | 'odd' | 'all';

/** Refused and all, for the good, the bad and each kind of damage. */
export function airlineTable(
  conversations: readonly Conversation[],
  half: Half,
): readonly { readonly name: string; readonly refused: number; readonly of: number }[] {
  const mine = conversations.filter((_, index) => half === 'all' || (index % 2 === 0) === (half === 'even'));
  const acted = mine.filter((item) => stepsOf(item).some(isCall));
  const good = acted.filter((item) => item.reward === 1).map(stepsOf);
  const bad = acted.filter((item) => item.reward !== 1).map(stepsOf);
  const row = (
    name: string,
    list: readonly (readonly Step[])[],
  ): { readonly name: string; readonly refused: number; readonly of: number } => ({
    name,
    refused: list.filter((steps) => isRefused(steps)).length,
    of: list.length,
  });
  const damaged = DAMAGES.map((damage) => row(damage.name, good.filter(damage.applies).map(damage.damage)));
  return [row('good', good), row('bad', bad), ...damaged];
}

const GOALS: { readonly [name: string]: readonly [number, string] } = {
  good: [6, 'at most 6 refused'],
  'last change fails': [24, 'at least 24'],
  'last change removed': [20, 'at least 20'],
  'all looks removed': [48, 'at least 48'],
  'last call fails': [40, 'at least 40'],
};

/** Prints what the gate refuses of the public airline conversations, tuned half and other half apart. */
export const benchmark: Benchmark = {
  name: 'submit-gate-airline',
  run: async () => {
    const file = process.env['WARRANT_AIRLINE'];
    if (file === undefined) {
      console.log(
        '  skipped: name historical_trajectories/gpt-4o-airline.json of github.com/sierra-research/tau-bench in WARRANT_AIRLINE',
      );
      return [];
    }
    const conversations = JSON.parse(readFileSync(file, 'utf8')) as readonly Conversation[];
    return (['even', 'odd', 'all'] as const).flatMap((half) =>
      airlineTable(conversations, half).map((item) => lineOf(item, half)),
    );
  },
};

function lineOf(item: { readonly name: string; readonly refused: number; readonly of: number }, half: Half): Result {
  const goal = half === 'all' ? GOALS[item.name] : undefined;
  const reached = goal === undefined || (item.name === 'good' ? item.refused <= goal[0] : item.refused >= goal[0]);
  return {
    name: `${half}: ${item.name}, refused`,
    unit: `of ${item.of}`,
    ours: item.refused,
    against: 'goal',
    theirs: goal?.[0] ?? null,
    ratio: null,
    goal: goal?.[1] ?? 'for information',
    reached,
  };
}
