import { digestBytes, type Journal, type Json, type JsonObject, type ToolCall } from '@warrant/core';
import { recordedObservation } from './facts.ts';
import { type GatedTool, NO_CONFIDENCE, recordable, resultOf, type ToolResult, thrownResult } from './gate-tools.ts';
import type { GateEvent, GateRecord } from './record.ts';
import type { ModelInput, ModelMove, TurnModel } from './turn-model.ts';
import type { Claim, GateState, GateVerdict, RecordedObservation, SubmitGate } from './types.ts';
import { Abandoned, untilAborted } from './until-aborted.ts';

export type TurnLoopOptions = {
  readonly model: TurnModel;
  readonly tools: { readonly [name: string]: GatedTool };
  readonly gate: SubmitGate;
  readonly signal?: AbortSignal;
  /** State to go on from. @default the gate's initial one */
  readonly state?: GateState;
  /** Records every input before its effect. */
  readonly journal?: Pick<Journal, 'append'>;
  /** @default gate */
  readonly stream?: string;
  /** Gives a confidence from 0 to 1, or null to abstain; asked only for what would otherwise pass. */
  readonly verify?: (question: {
    readonly claim: Claim;
    readonly criteria: readonly string[];
    readonly callIds: readonly string[];
  }) => Promise<number | null>;
  /** Refused submits of a turn before it ends as unverified. @default 3 */
  readonly maxBlocks?: number;
  /** Moves of a turn before it ends as unverified. @default 200 */
  readonly maxMoves?: number;
  /** Read-backs that the loop runs itself in a turn. @default 16 */
  readonly maxReadBacks?: number;
};

export type TurnOutcome = {
  readonly state: GateState;
  readonly record: GateRecord;
  readonly recorded: 'no' | 'all';
  readonly blocks: number;
} & (
  | { readonly type: 'accepted'; readonly claim: Claim; readonly verdict: GateVerdict }
  | {
      readonly type: 'unverified';
      readonly why: 'said-so' | 'blocks' | 'budget' | 'moves';
      readonly claim: Claim | null;
    }
  | { readonly type: 'aborted' }
  | { readonly type: 'failed'; readonly stage: 'before' | 'during'; readonly error: unknown }
);

class RecordFailure extends Error {
  readonly stage: 'before' | 'during';
  constructor(stage: 'before' | 'during', cause: unknown) {
    super('the record could not be written', { cause });
    this.stage = stage;
  }
}

/**
 * The whole wiring of a turn: budget, changes, read-backs, halt, signals, refusals told to the model, and a marked unverified exit.
 * With a journal every input is durable before its effect; a failed append means that the call does not run.
 */
export function createTurnLoop(options: TurnLoopOptions): {
  run(message: string): Promise<TurnOutcome>;
  readonly state: GateState;
} {
  const turn = new TurnRunner(options);
  return {
    run: (message) => turn.run(message),
    get state() {
      return turn.state;
    },
  };
}

class TurnRunner {
  state: GateState;
  private readonly options: TurnLoopOptions;
  private events: GateEvent[] = [];
  private entries = 0;
  private blocks = 0;
  private calls = 0;
  private readBacks = 0;

  constructor(options: TurnLoopOptions) {
    this.options = options;
    this.state = options.state === undefined ? options.gate.initial : options.gate.resume(options.state);
  }

  async run(message: string): Promise<TurnOutcome> {
    const signal = this.options.signal ?? new AbortController().signal;
    this.blocks = 0;
    this.readBacks = 0;
    try {
      await this.beginTurn(message);
      return await this.moves([{ type: 'message', text: message }], signal);
    } catch (error) {
      if (error instanceof RecordFailure)
        return this.outcome({ type: 'failed', stage: error.stage, error: error.cause });
      if (signal.aborted) return this.outcome({ type: 'aborted' });
      throw error;
    }
  }

  private outcome<T extends object>(
    end: T,
  ): T & { state: GateState; record: GateRecord; recorded: 'no' | 'all'; blocks: number } {
    const failed = 'type' in end && end.type === 'failed';
    const recorded = this.options.journal === undefined || failed ? 'no' : 'all';
    return { ...end, state: this.state, record: this.record(), recorded, blocks: this.blocks };
  }

  private record(): GateRecord {
    const from = this.options.state === undefined ? {} : { from: this.options.state };
    return { config: this.options.gate.config.digest, ...from, events: [...this.events] };
  }

  private freeId(asked: string | undefined): string {
    const id = asked ?? `${this.state.turn}.${this.calls}`;
    const taken = this.state.running.some((item) => item.id === id) || this.state.open.some((item) => item.id === id);
    return taken ? `${id}#${this.calls}` : id;
  }

  private async beginTurn(message: string): Promise<void> {
    await this.keep({ type: 'turn-began', message }, 'before');
    this.state = this.options.gate.beginTurn(this.state, message);
  }

  private async moves(begin: readonly ModelInput[], signal: AbortSignal): Promise<TurnOutcome> {
    let inputs = begin;
    for (let move = 0; move < (this.options.maxMoves ?? 200); move += 1) {
      if (signal.aborted) return this.outcome({ type: 'aborted' });
      const next = await untilAborted(this.options.model.next(inputs, { signal }), signal);
      if (signal.aborted) return this.outcome({ type: 'aborted' });
      if (next.type === 'reason') {
        await this.keep({ type: 'reasoned' }, 'before');
        this.state = this.options.gate.reason(this.state);
        inputs = [];
      } else if (next.type === 'calls') inputs = await this.runCalls(next.calls, signal);
      else {
        const answer = await this.submit(next.claim, signal);
        if ('type' in answer) return answer;
        inputs = [{ type: 'refused', verdict: answer.verdict }];
      }
    }
    return this.leaveUnverified('moves', null);
  }

  private async submit(claim: Claim, signal: AbortSignal): Promise<TurnOutcome | { readonly verdict: GateVerdict }> {
    const { gate } = this.options;
    const confidence = await this.confidence(claim, signal);
    const answer = gate.submit(this.state, claim, confidence);
    const { type, reasons, downgraded } = answer.verdict;
    await this.keep(
      {
        type: 'submitted',
        claim,
        ...(confidence === undefined ? {} : { confidence }),
        verdict: { type, reasons, downgraded },
      },
      'before',
    );
    this.state = answer.state;
    if (type === 'accepted') {
      if (claim.type === 'unverified') return this.outcome({ type: 'unverified', why: 'said-so', claim });
      return this.outcome({ type: 'accepted', claim, verdict: answer.verdict });
    }
    this.blocks += 1;
    if (this.blocks > (this.options.maxBlocks ?? 3)) return this.leaveUnverified('blocks', claim);
    if (this.state.budget <= 0) return this.leaveUnverified('budget', claim);
    return { verdict: answer.verdict };
  }

  /** A verifier that fails is one whose answer is none; as a number, so that a record keeps it. */
  private async confidence(claim: Claim, signal: AbortSignal): Promise<number | null | undefined> {
    const { gate, verify } = this.options;
    const question = gate.verifierQuestion(this.state, claim);
    if (question === null || verify === undefined) return undefined;
    try {
      return recordable(await untilAborted(verify({ claim, ...question }), signal));
    } catch (error) {
      if (signal.aborted) throw error;
      return NO_CONFIDENCE;
    }
  }

  private async leaveUnverified(why: 'blocks' | 'budget' | 'moves', claim: Claim | null): Promise<TurnOutcome> {
    const marked: Claim = { type: 'unverified' };
    const answer = this.options.gate.submit(this.state, marked);
    const { type, reasons, downgraded } = answer.verdict;
    await this.keep({ type: 'submitted', claim: marked, verdict: { type, reasons, downgraded } }, 'before');
    this.state = answer.state;
    return this.outcome({ type: 'unverified', why, claim });
  }

  private async runCalls(
    calls: (ModelMove & { type: 'calls' })['calls'],
    signal: AbortSignal,
  ): Promise<readonly ModelInput[]> {
    return Promise.all(calls.map((call) => this.runCall(call, signal)));
  }

  private async runCall(
    asked: { readonly id?: string; readonly tool: string; readonly arguments: JsonObject; readonly expects?: Json },
    signal: AbortSignal,
    readBackOf?: string,
  ): Promise<ModelInput> {
    const { gate } = this.options;
    this.calls += 1;
    const call: ToolCall = { id: this.freeId(asked.id), tool: asked.tool, arguments: asked.arguments };
    const event = {
      call,
      startSeq: this.state.seq + 1,
      effects: gate.effectsOf(call),
      ...(asked.expects === undefined ? {} : { expects: asked.expects }),
    };
    this.state = gate.start(this.state, event);
    try {
      await this.keep({ type: 'started', event }, 'before');
    } catch (error) {
      this.state = gate.observe(this.state, {
        callId: call.id,
        endSeq: this.state.seq + 1,
        outcome: 'not-run',
        result: null,
      });
      throw error;
    }
    const result = await this.perform(call, signal);
    await this.report(call, result, readBackOf);
    if (result.outcome === 'ok' && readBackOf === undefined) await this.readBack(call.id, signal);
    return { type: 'result', callId: call.id, ...result };
  }

  private async perform(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    const { tools } = this.options;
    const tool = Object.hasOwn(tools, call.tool) ? tools[call.tool] : undefined;
    if (tool === undefined) return { outcome: 'not-run', result: `there is no tool '${call.tool}'` };
    if (signal.aborted) return { outcome: 'not-run', result: 'aborted' };
    try {
      return resultOf(await untilAborted(tool(call.arguments, { callId: call.id, signal }), signal));
    } catch (error) {
      // Nobody knows what became of it: its change stays open.
      if (error instanceof Abandoned) throw error;
      return thrownResult(error);
    }
  }

  private async report(call: ToolCall, result: ToolResult, readBackOf: string | undefined): Promise<void> {
    const { gate } = this.options;
    const event: RecordedObservation = {
      callId: call.id,
      endSeq: this.state.seq + 1,
      ...result,
      ...(readBackOf === undefined ? {} : { readBackOf }),
    };
    const kept =
      event.outcome === 'not-run' ? event : recordedObservation(event, gate.factsOf(this.state, event), digestBytes);
    this.state = gate.observe(this.state, kept);
    await this.keep({ type: 'observed', event: kept }, 'during');
  }

  /** The look that a contract names after a change, once for each change. */
  private async readBack(callId: string, signal: AbortSignal): Promise<void> {
    const wanted = this.state.open.find((item) => item.id === callId)?.readBack;
    if (wanted === undefined || this.readBacks >= (this.options.maxReadBacks ?? 16)) return;
    this.readBacks += 1;
    await this.runCall({ tool: wanted.tool, arguments: wanted.arguments }, signal, callId);
  }

  private async keep(event: GateEvent, stage: 'before' | 'during'): Promise<void> {
    const { journal, stream = 'gate' } = this.options;
    this.events.push(event);
    this.entries += 1;
    if (journal === undefined) return;
    const entry = {
      id: `${stream}/${this.state.turn}/${this.state.seq}/${this.entries}`,
      type: `gate.${event.type}`,
      data: event as unknown as Json,
      schemaVersion: 1,
    };
    try {
      await journal.append(stream, [entry], { expected: 'any' });
    } catch (error) {
      if (stage === 'before') this.events.pop();
      throw new RecordFailure(stage, error);
    }
  }
}
