import { readMessage } from '../claims.ts';
import { describeMove } from '../record.ts';
import type { Claim, Considered, GateState, GateVerdict, SubmitGate } from '../types.ts';
import type { Trace, TraceEvent } from './trace.ts';

/** One step of a replay: what happened, how it was classed and what is open after it. */
export type ReplayStep = {
  readonly index: number;
  readonly what: 'turn' | 'call' | 'result' | 'reasoning' | 'submit';
  readonly id?: string;
  readonly tool?: string;
  /** What the call was to the gate. */
  readonly kind?: string;
  readonly classed?: Omit<Considered, 'callId' | 'tool'>;
  readonly claim?: Claim;
  readonly verdict?: GateVerdict;
  /** Ids of the open obligations with their targets. */
  readonly open: readonly { readonly id: string; readonly targets: readonly string[] | null }[];
  readonly budget: number;
};
export type ReplayReport = {
  readonly format: Trace['format'];
  readonly steps: readonly ReplayStep[];
  readonly submits: number;
  readonly refused: number;
  /** Calls that never got an answer. */
  readonly unanswered: number;
  readonly skipped: number;
  readonly state: GateState;
};

/** Judges a trace step by step: a turn for each message of the user, a submit of the last message of each turn, or where the trace says so. */
export function replayTrace(gate: SubmitGate, trace: Trace): ReplayReport {
  const run = new Replay(gate);
  const explicit = trace.events.some((event) => event.type === 'submit');
  let last: string | null = null;
  for (const event of trace.events) {
    if (event.type === 'user') {
      if (last !== null && !explicit) run.submit(readMessage(last).claim);
      last = null;
      run.turn(event.text);
    } else if (event.type === 'message') last = event.text;
    else run.step(event);
  }
  if (last !== null && !explicit) run.submit(readMessage(last).claim);
  const { steps, state } = run;
  const verdicts = steps.filter((step) => step.what === 'submit');
  const refused = verdicts.filter((step) => step.verdict?.type === 'refused').length;
  return {
    format: trace.format,
    steps,
    submits: verdicts.length,
    refused,
    unanswered: state.running.length,
    skipped: trace.skipped,
    state,
  };
}

class Replay {
  readonly steps: ReplayStep[] = [];
  state: GateState;
  private readonly gate: SubmitGate;
  private readonly names = new Map<string, string>();
  private seq = 0;
  private calls = 0;

  constructor(gate: SubmitGate) {
    this.gate = gate;
    this.state = gate.initial;
  }

  turn(message: string): void {
    this.state = this.gate.beginTurn(this.state, message);
    this.add({ what: 'turn' });
  }

  submit(claim: Claim): void {
    const { state, verdict } = this.gate.submit(
      this.state,
      claim,
      this.gate.config.threshold === null ? undefined : null,
    );
    this.state = state;
    this.add({ what: 'submit', claim, verdict });
  }

  step(event: Exclude<TraceEvent, { readonly type: 'user' | 'message' }>): void {
    if (event.type === 'submit') this.submit(event.claim);
    else if (event.type === 'reasoning') {
      this.state = this.gate.reason(this.state);
      this.add({ what: 'reasoning' });
    } else if (event.type === 'call') this.call(event);
    else this.result(event);
  }

  private call(event: TraceEvent & { readonly type: 'call' }): void {
    this.calls += 1;
    this.seq += 1;
    // A trace may use an id again; here each call has its own.
    const id = this.names.has(event.id) ? `${event.id}#${this.calls}` : event.id;
    this.names.set(event.id, id);
    const directory = event.directory === undefined ? {} : { directory: event.directory };
    const call = { id, tool: event.tool, arguments: event.arguments, ...directory };
    const expects = event.expects === undefined ? {} : { expects: event.expects };
    this.state = this.gate.start(this.state, {
      call,
      startSeq: this.seq,
      effects: this.gate.effectsOf(call),
      ...expects,
    });
    const running = this.state.running.find((item) => item.id === id);
    this.add({ what: 'call', id, tool: event.tool, kind: running?.kind ?? 'forgotten' });
  }

  private result(event: TraceEvent & { readonly type: 'result' }): void {
    this.seq += 1;
    const id = this.names.get(event.id) ?? event.id;
    const signals = event.signals === undefined ? {} : { signals: event.signals };
    this.state = this.gate.observe(this.state, {
      callId: id,
      endSeq: this.seq,
      outcome: event.outcome,
      result: event.result,
      ...signals,
    });
    const seen = this.state.considered.at(-1);
    if (seen?.callId !== id) return this.add({ what: 'result', id });
    const { callId: _callId, tool, ...classed } = seen;
    this.add({ what: 'result', id, tool, classed });
  }

  private add(step: Omit<ReplayStep, 'index' | 'open' | 'budget'>): void {
    const open = this.state.open.map((item) => ({ id: item.id, targets: item.targets }));
    this.steps.push({ index: this.steps.length, ...step, open, budget: this.state.budget });
  }
}

/** A replay as text for a terminal. */
export function renderReplay(report: ReplayReport): string {
  const lines = report.steps.flatMap((step) => renderStep(step));
  const rest = [`${report.submits} claims, ${report.refused} refused`];
  if (report.unanswered > 0) rest.push(`${report.unanswered} calls without an answer`);
  if (report.skipped > 0) rest.push(`${report.skipped} items skipped`);
  return `${[...lines, rest.join(', ')].map(printable).join('\n')}\n`;
}

/** Control characters of a trace are not sent to the terminal. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
}

function renderStep(step: ReplayStep): readonly string[] {
  const open =
    step.open.length === 0
      ? ''
      : `  open: ${step.open.map((item) => `${item.id} ${item.targets?.join(', ') ?? '(unknown)'}`).join('; ')}`;
  switch (step.what) {
    case 'turn':
      return ['turn'];
    case 'reasoning':
      return [`  reasoning  budget ${step.budget}`];
    case 'call':
      return [`  call ${step.id} ${step.tool}: ${step.kind}`];
    case 'result': {
      const { classed } = step;
      const how =
        classed === undefined
          ? 'no such call'
          : `${classed.evidence}, ${classed.tier}${classed.cause === 'ok' ? '' : ` (${classed.cause})`}`;
      return [`  result ${step.id}: ${how}  budget ${step.budget}${open}`];
    }
    case 'submit':
      return [
        `  claim ${step.claim?.type}: ${step.verdict?.type}  budget ${step.budget}`,
        ...(step.verdict?.reasons.map((reason) => `    ${reason.code}: ${reason.message}`) ?? []),
        ...(step.verdict?.legalNext.map((move) => `    next: ${describeMove(move)}`) ?? []),
      ];
    default:
      return step.what satisfies never;
  }
}
