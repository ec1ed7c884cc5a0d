import {
  type Clock,
  type IdSource,
  isoTime,
  isWarrantError,
  type Journal,
  type Proposal,
  type Reason,
  type ReviewDecision,
  type Reviewer,
  WarrantError,
} from '@warrant/core';
import type { Fact, Input, ReviewData } from '../input.ts';
import type { AgentMachine } from '../machine/machine.ts';
import {
  parseModification,
  SELF_MODIFICATION_KIND,
  type SelfModification,
  selfModificationKind,
  type VersionHost,
  versionRefused,
} from '../self-modification.ts';
import type { AgentState } from '../state.ts';
import { streamOf } from './names.ts';
import { recordOf } from './record.ts';
import type { Delivered } from './turns.ts';

export type VersionsOptions = {
  readonly reviewer: Reviewer | undefined;
  readonly journal: Pick<Journal, 'read'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly state: (actor: string) => Promise<AgentState>;
  readonly machineOf: (actor: string) => Promise<AgentMachine>;
  readonly isOurs: (actor: string) => Promise<boolean>;
  /** A decider that a chart names and the kit has not. */
  readonly unbound: (chart: SelfModification['chart']) => string | undefined;
  readonly review: (actor: string, review: ReviewData) => Promise<Delivered>;
  /** Told of a proposal whose agent could not be told. */
  readonly onFault: (fault: { readonly actor: string; readonly effect: string; readonly error: unknown }) => void;
};

export type ProposeOptions = {
  readonly rationale?: string;
  /** Whoever proposes does not approve, where a policy says so. @default the agent itself */
  readonly proposedBy?: string;
};

type Version = Extract<Fact, { readonly type: 'version' }>;
const REFUSED: ReadonlySet<ReviewDecision['type']> = new Set(['blocked', 'rejected', 'expired', 'invalid']);

/** Brings new chart versions from agents to reviewers, and what reviewers said back to the agents. */
export class Versions implements VersionHost {
  private readonly options: VersionsOptions;
  /** Proposals whose agent has heard of their end. */
  private readonly told = new Set<string>();

  constructor(options: VersionsOptions) {
    this.options = options;
    options.reviewer?.register(selfModificationKind(this));
  }

  /** @throws DECIDE_OPTIONS without a reviewer */
  async propose(wanted: SelfModification, { rationale, proposedBy }: ProposeOptions): Promise<ReviewDecision> {
    const { reviewer, ids, clock } = this.options;
    if (reviewer === undefined)
      throw new WarrantError('DECIDE_OPTIONS', 'a new chart version is approved by a reviewer, and none was given');
    const proposal: Proposal = {
      id: ids.next(),
      kind: SELF_MODIFICATION_KIND,
      proposedBy: proposedBy ?? wanted.actor,
      proposedAt: isoTime(clock),
      payload: wanted as unknown as Proposal['payload'],
      ...(rationale === undefined ? {} : { rationale }),
    };
    const decision = await reviewer.file(proposal);
    await this.tell(proposal, decision);
    return decision;
  }

  async checkVersion(wanted: SelfModification): Promise<readonly Reason[]> {
    const { actor, chart } = wanted;
    const { state: stateOf, machineOf, clock, unbound } = this.options;
    try {
      const [machine, state] = [await machineOf(actor), await stateOf(actor)];
      if (state.status !== 'running') return [versionRefused('the agent has ended')];
      const input: Input = { type: 'review', at: isoTime(clock), data: approvalOf('', wanted) };
      const refusal = refusalIn(machine.apply(state, input, state.position + 1).facts);
      if (refusal.length > 0) return refusal;
      // It is a chart, then.
      const decider = unbound(chart);
      return decider === undefined ? [] : [versionRefused(`no decider '${decider}' is bound`)];
    } catch (error) {
      if (!isWarrantError(error)) throw error;
      return [versionRefused(error.message)];
    }
  }

  async applyVersion(proposal: string, wanted: SelfModification): Promise<readonly Reason[]> {
    const { actor } = wanted;
    const before = await this.outcomeOf(actor, proposal);
    if (before !== undefined) return refusalIn([before]);
    const reasons = await this.checkVersion(wanted);
    // The agent hears of a refusal when the reviewer has made it final.
    if (reasons.length > 0) return reasons;
    await this.options.review(actor, approvalOf(proposal, wanted));
    this.told.add(proposal);
    const outcome = await this.outcomeOf(actor, proposal);
    return outcome === undefined ? [versionRefused('the agent has ended')] : refusalIn([outcome]);
  }

  /** Tells agents of this kit what became of their proposals elsewhere, or while no host ran. */
  async follow(): Promise<void> {
    const { reviewer } = this.options;
    if (reviewer === undefined) return;
    for await (const { proposal, decision } of reviewer.list({ kind: SELF_MODIFICATION_KIND })) {
      try {
        await this.tell(proposal, decision);
      } catch (error) {
        this.options.onFault({ actor: '', effect: proposal.id, error });
      }
    }
  }

  private async tell(proposal: Proposal, decision: ReviewDecision): Promise<void> {
    const { id } = proposal;
    const isRefused = REFUSED.has(decision.type);
    if (this.told.has(id) || !(isRefused || decision.type === 'approved')) return;
    const wanted = parseModification(proposal.payload);
    if (wanted === undefined || !(await this.isKnown(wanted.actor))) return;
    await this.options.review(
      wanted.actor,
      isRefused
        ? { proposal: id, decision: 'rejected', reason: decision.reasons[0]?.message ?? decision.type }
        : approvalOf(id, wanted),
    );
    this.told.add(id);
  }

  private async isKnown(actor: string): Promise<boolean> {
    try {
      return await this.options.isOurs(actor);
    } catch (error) {
      if (isWarrantError(error, 'DECIDE_UNKNOWN_ACTOR') || isWarrantError(error, 'DECIDE_ACTOR_NAME')) return false;
      throw error;
    }
  }

  /** What the journal says of a proposal; undefined while the agent has not heard of it. */
  private async outcomeOf(actor: string, proposal: string): Promise<Version | undefined> {
    for await (const entry of this.options.journal.read(streamOf(actor), { direction: 'backward' })) {
      const record = recordOf(entry);
      if (record.type !== 'input' || record.input.type !== 'review') continue;
      if (record.input.data.proposal === proposal) return record.facts.find((fact) => fact.type === 'version');
    }
    return undefined;
  }
}

function approvalOf(proposal: string, { chart, migration }: SelfModification): ReviewData {
  return { proposal, decision: 'approved', chart, ...(migration && { migration }) };
}

function refusalIn(facts: readonly Fact[]): readonly Reason[] {
  const version = facts.find((fact) => fact.type === 'version');
  return version?.outcome === 'rejected' ? [versionRefused(version.reason ?? 'rejected')] : [];
}
