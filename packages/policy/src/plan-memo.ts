import type { GroundingResult } from '@warrant/core';
import { type PolicyPlan, planPolicies } from './decide.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { PolicySet } from './policy-set.ts';
import { type GroundingFacts, readGrounding } from './read-grounding.ts';

/** Larger results are read anew: comparing them would not pay. */
const MOST_PARTS = 512;

/** Keeps what the last call of a tool was decided from: while graph and policies stay, the next one needs the same. */
export type PlanMemo = {
  readonly facts: (grounding: GroundingResult) => GroundingFacts;
  readonly plan: (facts: GroundingFacts, policies: PolicySet, cardinality: string | null) => PolicyPlan;
};

type Read = Pick<GroundingResult, 'grounded' | 'resolved' | 'pathway' | 'primitives'> & {
  readonly facts: GroundingFacts;
};
type Planned = {
  readonly facts: GroundingFacts;
  readonly policies: PolicySet;
  readonly cardinality: string | null;
  readonly plan: PolicyPlan;
};

export function createPlanMemo(): PlanMemo {
  let read: Read | null = null;
  let planned: Planned | null = null;
  return {
    facts: (grounding) => {
      if (read !== null && isSame(grounding, read)) return read.facts;
      const facts = deepFreeze(readGrounding(grounding), new WeakSet());
      read = isFixed(grounding) ? { ...copyOf(grounding), facts } : null;
      return facts;
    },
    plan: (facts, policies, cardinality) => {
      if (planned?.facts === facts && planned.policies === policies && planned.cardinality === cardinality) {
        return planned.plan;
      }
      const plan = planPolicies(facts, policies, cardinality);
      // A set that may still change is asked every time.
      planned = Object.isFrozen(policies) ? { facts, policies, cardinality, plan } : null;
      return plan;
    },
  };
}

/** Frozen parts cannot have changed while they are the same objects. */
function isFixed({ gaps, pathway, primitives }: GroundingResult): boolean {
  if (gaps.length > 0 || pathway.length + primitives.length > MOST_PARTS) return false;
  return pathway.every(Object.isFrozen) && primitives.every(Object.isFrozen);
}

function copyOf({ grounded, resolved, pathway, primitives }: GroundingResult): Omit<Read, 'facts'> {
  return { grounded, resolved: [...resolved], pathway: [...pathway], primitives: [...primitives] };
}

function isSame(grounding: GroundingResult, read: Read): boolean {
  return (
    grounding.gaps.length === 0 &&
    grounding.grounded === read.grounded &&
    hasSame(grounding.resolved, read.resolved) &&
    hasSame(grounding.pathway, read.pathway) &&
    hasSame(grounding.primitives, read.primitives)
  );
}

function hasSame(items: readonly unknown[], others: readonly unknown[]): boolean {
  if (items.length !== others.length) return false;
  for (let index = 0; index < items.length; index += 1) if (items[index] !== others[index]) return false;
  return true;
}
