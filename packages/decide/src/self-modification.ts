import type { ChartIr } from '@warrant/chart';
import type { JsonObject, ProposalKind, Reason } from '@warrant/core';
import type { Migration } from './input.ts';
import { isObject } from './is-object.ts';

/** The kind under which new versions of running charts stand in the review queue. */
export const SELF_MODIFICATION_KIND = 'chart-version';

/** What an agent, or somebody for it, asks for: to run by another chart from now on. */
export type SelfModification = {
  readonly actor: string;
  readonly chart: ChartIr;
  readonly migration?: Migration;
};

/** What a reviewer needs of the agents' host. */
export type VersionHost = {
  /** Why the version could not take over now; empty when it could. Nothing is changed. */
  checkVersion(wanted: SelfModification): Promise<readonly Reason[]>;
  /** Hands the approved version in; equal proposals once. */
  applyVersion(proposal: string, wanted: SelfModification): Promise<readonly Reason[]>;
};

/**
 * How a reviewer handles new chart versions: checked by trying them on the stored state, applied as an input of the
 * agent. Without a host the approval only stands in the queue, and the agent's own host takes it from there.
 */
export function selfModificationKind(host?: VersionHost): ProposalKind {
  return {
    kind: SELF_MODIFICATION_KIND,
    check: async (payload) => {
      const wanted = parseModification(payload);
      if (wanted === undefined) return [malformed()];
      return host === undefined ? [] : host.checkVersion(wanted);
    },
    evidence: () => null,
    confidence: () => null,
    apply: async ({ id, payload }) => {
      const wanted = parseModification(payload);
      if (wanted === undefined) return { type: 'refused', reasons: [malformed()] };
      const reasons = host === undefined ? [] : await host.applyVersion(id, wanted);
      return { type: reasons.length === 0 ? 'applied' : 'refused', reasons };
    },
  };
}

/** The payload of a proposal, if it is one of this kind. What the chart says is checked when it is compiled. */
export function parseModification(payload: JsonObject): SelfModification | undefined {
  const { actor, chart, migration } = payload;
  if (typeof actor !== 'string' || !isObject(chart) || !Array.isArray(chart['states'])) return undefined;
  if (migration !== undefined && !isMigration(migration)) return undefined;
  return payload as unknown as SelfModification;
}

function isMigration(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { states = {}, assign = [], drop = [], ...rest } = value;
  const isText = (one: unknown) => typeof one === 'string';
  return (
    Object.keys(rest).length === 0 &&
    isObject(states) &&
    Object.values(states).every(isText) &&
    Array.isArray(assign) &&
    assign.every((one) => isObject(one) && isText(one['location']) && isText(one['expr'])) &&
    Array.isArray(drop) &&
    drop.every(isText)
  );
}

function malformed(): Reason {
  const message = "a new chart version names its 'actor' and its 'chart', and maps states and data in 'migration'";
  return { code: 'decide.version-malformed', message, data: {} };
}

/** Why a version was not taken, as a reviewer reads it. */
export function versionRefused(reason: string): Reason {
  return { code: 'decide.version-refused', message: `the version cannot take over: ${reason}`, data: { reason } };
}
