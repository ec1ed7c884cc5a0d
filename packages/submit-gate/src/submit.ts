import type { Reason } from '@warrant/core';
import { claimedChecks } from './check-claims.ts';
import { namingOf } from './classify.ts';
import type { ResolvedConfig } from './config-types.ts';
import { isFreshEvidence, isVerified, staleNames } from './freshness.ts';
import { canonicalIdentifier } from './identifiers.ts';
import { knows, lookedAtName, unseenCodes } from './memory.ts';
import { legalMoves } from './moves.ts';
import { draftOf, forgetAnswers, isFresh } from './state.ts';
import type { Claim, GateState, GateVerdict, Obligation } from './types.ts';

const TYPES = new Set(['assertion', 'completion', 'unverified', 'none']);

function reason(code: string, message: string, data: Reason['data'] = {}): Reason {
  return { code: `gate.${code}`, message, data };
}

/** Judges a claim. A verifier's confidence (0 to 1) can only turn an acceptance into a refusal; null abstains. */
export function submitted(
  config: ResolvedConfig,
  state: GateState,
  claim: Claim,
  confidence?: number | null,
): { readonly state: GateState; readonly verdict: GateVerdict } {
  if (claim.type === 'unverified') return acceptUnverified(state, claim);
  if (claim.type === 'none') return { state, verdict: accepted(state, claim, [], null) };
  const reasons = structuralReasons(config, state, claim);
  if (reasons.length > 0) return refuse(config, state, claim, { reasons, downgraded: false, confidence: null });
  const doubt = verifierDoubt(config, confidence);
  if (doubt !== null) {
    return refuse(config, state, claim, {
      reasons: [doubt],
      downgraded: true,
      confidence: isConfidence(confidence) ? confidence : null,
    });
  }
  const next = resumedWork(state);
  return { state: next, verdict: accepted(next, claim, remarks(config, state, claim), confidence ?? null) };
}

function accepted(state: GateState, claim: Claim, reasons: readonly Reason[], confidence: number | null): GateVerdict {
  return {
    type: 'accepted',
    claim: claim.type,
    reasons,
    considered: state.considered,
    legalNext: [],
    downgraded: false,
    confidence,
  };
}

type Refusal = {
  readonly reasons: readonly Reason[];
  readonly downgraded: boolean;
  readonly confidence: number | null;
};

function refuse(
  config: ResolvedConfig,
  state: GateState,
  claim: Claim,
  why: Refusal,
): { readonly state: GateState; readonly verdict: GateVerdict } {
  const verdict: GateVerdict = {
    type: 'refused',
    claim: claim.type,
    considered: state.considered,
    legalNext: legalMoves(config, state, claim, why.reasons),
    ...why,
  };
  const budget = Math.max(0, state.budget - config.settings.refusalCost);
  const next = draftOf(state);
  next.budget = budget;
  next.halted = true;
  next.rejections += 1;
  return { state: next, verdict };
}

function resumedWork(state: GateState): GateState {
  if (!state.halted) return state;
  const next = draftOf(state);
  next.halted = false;
  return next;
}

/** Open obligations end here by being reported; what was verified of them proves nothing any more. */
function acceptUnverified(
  state: GateState,
  claim: Claim,
): { readonly state: GateState; readonly verdict: GateVerdict } {
  const reported = state.open.length + state.beyond;
  const lifted = resumedWork(state);
  if (reported === 0 && state.failing.length === 0)
    return { state: lifted, verdict: accepted(lifted, claim, [], null) };
  const next = draftOf(lifted);
  next.open = [];
  next.beyond = 0;
  next.failing = [];
  next.verified = false;
  next.evidence = state.evidence.map(({ held: _held, ...entry }) => entry);
  forgetAnswers(next);
  next.reportedUnverified += reported;
  if (reported === 0) return { state: next, verdict: accepted(next, claim, [], null) };
  const data = { count: reported, calls: state.open.map((item) => item.id) };
  const remark = [reason('reported-unverified', 'changes that nobody looked at are reported as unverified', data)];
  return { state: next, verdict: accepted(next, claim, remark, null) };
}

function structuralReasons(config: ResolvedConfig, state: GateState, claim: Claim): readonly Reason[] {
  if (!TYPES.has(claim.type))
    return [reason('unknown-claim-type', 'a claim is an assertion, a completion, unverified or none')];
  const reasons: Reason[] = [];
  if (state.budget <= 0)
    reasons.push(
      reason('budget-spent', 'no budget is left: look at something new, or say that it is unverified', {
        cap: config.cap,
      }),
    );
  if (claim.type === 'completion') completionReasons(state, reasons);
  else {
    if (config.settings.openAssertions === 'refuse' && claim.stance !== 'negative') openReasons(state, reasons);
    assertionReasons(config, state, claim, reasons);
  }
  signalReasons(config, state, claim, reasons);
  if (config.settings.namedChanges === 'refuse' && claim.type === 'completion') namedReasons(state, claim, reasons);
  if (claim.about !== undefined) aboutReasons(config, state, claim.about, reasons);
  if (config.settings.trailingError === 'refuse' && state.trailingError && claim.stance !== 'negative') {
    reasons.push(reason('last-call-failed', 'the last call of this turn failed'));
  }
  if (config.settings.unseenCodes === 'refuse') reasons.push(...codeReasons(state, claim));
  return reasons;
}

function openReasons(state: GateState, reasons: Reason[]): void {
  for (const item of state.open) reasons.push(obligationReason(item));
  if (state.beyond === 0) return;
  const message = 'more changes are open than can be named; only unverified ends them';
  reasons.push(reason('more-than-can-be-named', message, { count: state.beyond }));
}

function namedReasons(state: GateState, claim: Claim, reasons: Reason[]): void {
  for (const names of claim.changes ?? []) {
    if (names.some((name) => state.changed.includes(name))) continue;
    const looked = names.filter((name) => knows(state, lookedAtName(name)));
    if (looked.length > 0)
      reasons.push(
        reason('named-not-changed', 'the claim names what was looked at but not changed', {
          identifiers: looked.slice(0, 16),
        }),
      );
  }
}

function completionReasons(state: GateState, reasons: Reason[]): void {
  openReasons(state, reasons);
  if (!isVerified(state) && reasons.every((item) => item.code === 'gate.budget-spent')) {
    reasons.push(
      state.lastMutation === null
        ? reason('nothing-changed', 'nothing was changed that could be complete')
        : reason('not-verified', 'nothing changed was looked at in this turn'),
    );
  }
}

/** Signals that the goals ask of a completion, and those of checks that the text says have passed. */
function signalReasons(config: ResolvedConfig, state: GateState, claim: Claim, reasons: Reason[]): void {
  const goals = claim.type === 'completion' ? config.goals : [];
  for (const signal of new Set([...goals, ...claimedChecks(config, claim)])) {
    if (!isFresh(state, signal)) reasons.push(reason('signal-missing', `no fresh signal '${signal}'`, { signal }));
  }
  if (claim.type !== 'completion') return;
  for (const signal of state.failing)
    reasons.push(reason('check-failed', `a check of '${signal}' failed and has not passed since`, { signal }));
}

function obligationReason(item: Obligation): Reason {
  const data = { obligation: item.id, tool: item.tool, targets: item.targets === null ? null : [...item.targets] };
  if (item.contradicted !== undefined) {
    const expected = item.expects === undefined ? null : item.expects.value;
    return reason('contradicted', 'what was read back is not what was to be', {
      ...data,
      by: item.contradicted.by,
      found: item.contradicted.found,
      expected,
    });
  }
  if (item.ended === null) return reason('no-answer', 'a change began and never reported', data);
  if (item.failed && item.redo) return reason('change-failed', 'a change failed and was not made good', data);
  if (item.blind !== undefined)
    return reason('changed-unseen', 'something was changed that had not been looked at before', {
      ...data,
      unseen: [...item.blind],
    });
  if (item.targets === null)
    return reason('unknown-targets', 'what a call changed is not known, and no check has passed since', data);
  if (item.expects?.type === 'stated')
    return reason('expectation-not-shown', 'no look since shows what was expected', {
      ...data,
      expected: item.expects.value,
    });
  return reason('not-looked-at', 'nothing that began after the change ended shows what it touched', data);
}

function assertionReasons(config: ResolvedConfig, state: GateState, claim: Claim, reasons: Reason[]): void {
  const negative = claim.stance === 'negative';
  if (config.settings.staleAssertions === 'refuse' && !negative) {
    const names = staleNames(config, state, claim);
    if (names.length > 0)
      reasons.push(
        reason('changed-since', 'the claim names what has changed and was not looked at since', {
          identifiers: names.slice(0, 16),
        }),
      );
  }
  const verified = isVerified(state);
  const seen = config.strict ? verified : state.grounded;
  if (seen && hasFresh(config, state)) return;
  if (negative && !config.strict && state.absent) return;
  if (config.strict && !verified)
    reasons.push(reason('strict', 'under this preset assertions too need a look after a change'));
  if (!state.grounded)
    reasons.push(reason('not-observed', 'nothing relevant was observed in this turn', { onlyAbsence: state.absent }));
  else if (seen) reasons.push(reason('overtaken', 'whatever was observed in this turn has changed since'));
}

/** True when something counts that was seen after it last changed. */
function hasFresh(config: ResolvedConfig, state: GateState): boolean {
  if (config.settings.staleAssertions === 'allow') return true;
  return state.evidence.some(
    (entry) => (!config.strict || entry.tier === 'verified' || entry.held === true) && isFreshEvidence(state, entry),
  );
}

function aboutReasons(config: ResolvedConfig, state: GateState, about: readonly string[], reasons: Reason[]): void {
  const naming = namingOf(config);
  const unseen = about.filter(
    (name) => !knows(state, name) && !knows(state, canonicalIdentifier(name, naming) ?? name),
  );
  if (unseen.length > 0)
    reasons.push(
      reason('identifier-not-observed', 'the claim is about something that was never observed', {
        identifiers: unseen.slice(0, 16),
        memoryFull: state.codesFull,
      }),
    );
}

function codeReasons(state: GateState, claim: Claim): readonly Reason[] {
  if (claim.text === undefined || state.codesFull) return [];
  const codes = unseenCodes(state, claim.text);
  return codes.length === 0
    ? []
    : [reason('code-not-observed', 'the text names codes or numbers that were never observed', { codes })];
}

function remarks(config: ResolvedConfig, state: GateState, claim: Claim): readonly Reason[] {
  if (config.settings.unseenCodes !== 'report' || claim.text === undefined) return [];
  if (state.codesFull) return [reason('memory-full', 'too many codes were observed to tell which are new')];
  return codeReasons(state, claim);
}

function isConfidence(value: number | null | undefined): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function verifierDoubt(config: ResolvedConfig, confidence: number | null | undefined): Reason | null {
  if (config.threshold === null || confidence === null) return null;
  if (confidence === undefined) return reason('verifier-not-asked', 'a verifier is declared and was not asked');
  if (!isConfidence(confidence)) return reason('verifier-answer-invalid', 'a confidence is a number from 0 to 1');
  return confidence < config.threshold
    ? reason('verifier-doubts', 'the verifier is not confident enough', { confidence, threshold: config.threshold })
    : null;
}

/** What a verifier would have to judge: null when none is declared or the claim is settled without it. */
export function verifierQuestionOf(
  config: ResolvedConfig,
  state: GateState,
  claim: Claim,
): { readonly criteria: readonly string[]; readonly callIds: readonly string[] } | null {
  if (config.threshold === null || claim.type === 'unverified' || claim.type === 'none') return null;
  if (structuralReasons(config, state, claim).length > 0) return null;
  return { criteria: criteriaFor(claim.type, config.strict), callIds: state.evidence.map((item) => item.callId) };
}

/** Names of the criteria that a verifier judges a claim by. */
export function criteriaFor(claimType: string, strict: boolean): readonly string[] {
  if (claimType === 'completion' || (claimType === 'assertion' && strict)) return ['effect_shown', 'no_overreach'];
  return claimType === 'assertion' ? ['claim_supported', 'no_overreach'] : [];
}

/** A verifier's scores as one confidence: the least; none abstains. */
export function aggregateConfidence(answer: number | null | { readonly [criterion: string]: number }): number | null {
  if (answer === null || typeof answer === 'number') return answer;
  const scores = Object.values(answer);
  return scores.length === 0 ? null : Math.min(...scores);
}
