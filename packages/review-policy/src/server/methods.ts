import type { Json, JsonObject, Proposal, ReviewDecision } from '@warrant/core';
import { policyCapability } from '../capabilities.ts';
import { isMapping, member } from '../faults.ts';
import type { ReviewGate } from '../gate-types.ts';
import { PARAMETERS } from './parameters.ts';

/** An error as the wire carries it. `rule` and `reason` come with `policy_blocked`. */
export type WireError = {
  readonly code: string;
  readonly message: string;
  readonly rule?: string | null;
  readonly reason?: string;
  readonly details?: Json;
};
export type MethodResult =
  | { readonly type: 'ok'; readonly result: Json }
  | { readonly type: 'error'; readonly error: WireError };

/** One call that agents can make; the same over JSON lines and as an MCP tool. */
export type ReviewMethod = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly parameters: JsonObject;
  readonly readOnly: boolean;
  readonly call: (parameters: JsonObject) => Promise<MethodResult>;
};

/**
 * The calls that a server offers: `propose_<kind>`, `policy_check`, `capabilities`, `list_pending`. The actor is the
 * server's, never the caller's word.
 */
export function createReviewMethods(
  gate: ReviewGate,
  options: { readonly actor: string; readonly now: () => string },
): readonly ReviewMethod[] {
  const proposalOf = (kind: string, payload: JsonObject, rationale: unknown): Proposal => ({
    id: gate.newProposalId(),
    kind,
    proposedBy: options.actor,
    proposedAt: options.now(),
    payload,
    ...(typeof rationale === 'string' && { rationale }),
  });
  return [
    ...Object.keys(PARAMETERS).map((kind) => proposeMethod(gate, kind, proposalOf)),
    checkMethod(gate, proposalOf),
    {
      name: 'capabilities',
      description: 'What this server can do and what its review policy approves',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      readOnly: true,
      call: async () => ({
        type: 'ok',
        result: {
          methods: [
            ...Object.keys(PARAMETERS).map((kind) => `propose_${kind}`),
            'policy_check',
            'capabilities',
            'list_pending',
          ],
          policy: { ...policyCapability((await gate.settings()).policy) } as unknown as JsonObject,
        },
      }),
    },
    listMethod(gate),
  ];
}

function proposeMethod(
  gate: ReviewGate,
  kind: string,
  proposalOf: (kind: string, payload: JsonObject, rationale: unknown) => Proposal,
): ReviewMethod {
  const { required, properties } = PARAMETERS[kind] as (typeof PARAMETERS)[string];
  const keys = Object.keys(properties);
  const known = new Set([...keys, 'rationale', 'dry_run']);
  return {
    name: `propose_${kind}`,
    description: `Proposes a ${kind}; the review policy decides whether it lands, waits for a person or is refused`,
    parameters: {
      type: 'object',
      properties: { ...properties, rationale: { type: 'string' }, dry_run: { type: 'boolean' } },
      required,
      additionalProperties: false,
    },
    readOnly: false,
    call: async (parameters) => {
      const unknown = Object.keys(parameters).find((key) => !known.has(key));
      if (unknown !== undefined) return failure('invalid_request', `unknown parameter ${JSON.stringify(unknown)}`);
      const payload = Object.fromEntries(Object.entries(parameters).filter(([key]) => keys.includes(key)));
      const proposal = proposalOf(kind, payload, parameters['rationale']);
      return toResult(await gate.file(proposal, { dryRun: parameters['dry_run'] === true }));
    },
  };
}

function checkMethod(
  gate: ReviewGate,
  proposalOf: (kind: string, payload: JsonObject, rationale: unknown) => Proposal,
): ReviewMethod {
  return {
    name: 'policy_check',
    description: 'Says what the review policy would do with a proposal, without filing it',
    parameters: {
      type: 'object',
      properties: { kind: { type: 'string' }, payload: { type: 'object' } },
      required: ['kind', 'payload'],
      additionalProperties: false,
    },
    readOnly: true,
    call: async (parameters) => {
      const kind = member(parameters, 'kind');
      const payload = member(parameters, 'payload');
      if (typeof kind !== 'string') return failure('missing_param', 'kind');
      if (!isMapping(payload)) return failure('missing_param', 'payload');
      const decision = await gate.check(proposalOf(kind, payload as JsonObject, undefined));
      if (decision.type === 'invalid') return toResult(decision);
      const action = { approve: 'auto_approve', queue: 'require_human', refuse: 'block' }[decision.would];
      return { type: 'ok', result: { action, rule: decision.rule, reason: decision.reasons[0]?.message ?? null } };
    },
  };
}

function listMethod(gate: ReviewGate): ReviewMethod {
  return {
    name: 'list_pending',
    description: 'The proposals that wait for a person, with the rule that let them wait',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    readOnly: true,
    call: async () => {
      const items: Json[] = [];
      for await (const { proposal, decision } of gate.list({ type: 'queued' })) {
        items.push({
          id: proposal.id,
          kind: proposal.kind,
          proposed_by: proposal.proposedBy,
          policy_rule: decision.rule,
        });
      }
      return { type: 'ok', result: { proposals: items } };
    },
  };
}

/** A decision as the wire carries it: a refusal is an error with its code. */
function toResult(decision: ReviewDecision): MethodResult {
  const message = decision.reasons[0]?.message ?? '';
  if (decision.type === 'blocked') {
    const error = {
      code: 'policy_blocked',
      message: `refused by the review policy: ${message}`,
      rule: decision.rule,
      reason: message,
    };
    return { type: 'error', error };
  }
  if (decision.type === 'invalid') {
    const details = decision.reasons.map(({ code, message: text, data }) => ({ code, message: text, data }));
    return { type: 'error', error: { code: 'invalid_request', message, details } };
  }
  return {
    type: 'ok',
    result: {
      id: decision.proposalId,
      status: decision.type === 'queued' ? 'pending' : decision.type === 'dry-run' ? 'dry_run' : decision.type,
      would: decision.would,
      auto_approved: decision.type === 'approved' && decision.decidedBy === 'policy-engine',
      policy_rule: decision.rule,
      reasons: decision.reasons.map((reason) => reason.message),
    },
  };
}

export function failure(code: string, message: string): MethodResult {
  return { type: 'error', error: { code, message } };
}
