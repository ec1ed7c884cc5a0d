import {
  digest,
  type Edge,
  foldName,
  type Grounder,
  type GroundingResult,
  type JsonObject,
  type Primitive,
  type ToolCall,
  type Verdict,
} from '@warrant/core';
import { type DocumentFault, type DocumentSource, parseDocument } from '@warrant/core/documents';
import type { DormantRule } from '../decide.ts';
import { evaluatePolicies, type PolicyEvaluation } from '../gate.ts';
import { oneLine } from '../one-line.ts';
import type { PolicySet } from '../policy-set.ts';
import { MAX_POLICY_FILE_BYTES } from './parse-policies.ts';
import { type PolicyTestDocument, policyTestDocument } from './schema.ts';

export type PolicyTestResult = {
  readonly name: string;
  readonly line: number;
  readonly passed: boolean;
  readonly expected: Verdict['decision'];
  readonly actual: Verdict['decision'];
  /** Keys of the policies that fired. */
  readonly fired: readonly string[];
  /** What is wrong, in a sentence; null when it passed. */
  readonly problem: string | null;
};

export type PolicyTestReport =
  | { readonly type: 'faulty'; readonly faults: readonly DocumentFault[] }
  | {
      readonly type: 'ran';
      readonly results: readonly PolicyTestResult[];
      readonly passed: number;
      readonly failed: number;
      /** Policies whose condition no example asked. */
      readonly neverExercised: readonly string[];
      /** Policies that no example made fire, though some asked them. */
      readonly neverFired: readonly string[];
    };

export type TestPoliciesOptions = {
  /** Without one the edges of the policies stand for the graph, and every concept counts as known. */
  readonly grounder?: Grounder;
  /** @default 'refuse', as a guard does */
  readonly dormant?: DormantRule;
};

type Example = PolicyTestDocument['examples'][number];

/** Holds policies against a `warrant.policy-test/1` document of examples with their expected decisions. */
export async function testPolicies(
  policies: PolicySet,
  source: DocumentSource,
  options: TestPoliciesOptions = {},
): Promise<PolicyTestReport> {
  const parsed = parseDocument(source, policyTestDocument, { maxBytes: MAX_POLICY_FILE_BYTES });
  if (parsed.type === 'faulty') return parsed;
  const grounder = options.grounder ?? edgeGrounder(policies);
  const results: PolicyTestResult[] = [];
  const asked = new Set<string>();
  const fired = new Set<string>();
  for (const [index, example] of parsed.value.examples.entries()) {
    const evaluation = await evaluate(policies, example, { ...options, grounder }, index);
    for (const { key, outcome } of evaluation.findings) {
      if (outcome === 'passed' || outcome === 'fired') asked.add(key);
      if (outcome === 'fired') fired.add(key);
    }
    results.push(resultOf(example, parsed.document.placeOf(['examples', index]).line, evaluation));
  }
  const keys = policies.placements.map((placement) => placement.key);
  const passed = results.filter((result) => result.passed).length;
  return {
    type: 'ran',
    results,
    passed,
    failed: results.length - passed,
    neverExercised: keys.filter((key) => !asked.has(key)),
    neverFired: keys.filter((key) => asked.has(key) && !fired.has(key)),
  };
}

async function evaluate(
  policies: PolicySet,
  example: Example,
  options: TestPoliciesOptions & { readonly grounder: Grounder },
  index: number,
): Promise<PolicyEvaluation> {
  const { actor, directory, labels, ...given } = example.call;
  const call: ToolCall = {
    id: `example-${index + 1}`,
    tool: given.tool,
    arguments: given.arguments as JsonObject,
    ...(actor === undefined ? {} : { actor }),
    ...(directory === undefined ? {} : { directory }),
    ...(labels === undefined ? {} : { labels }),
  };
  const grounding = await options.grounder.check({ concepts: example.concepts });
  return evaluatePolicies({
    grounding,
    policies,
    call,
    cardinality: example.cardinality ?? null,
    effects: example.effects ?? null,
    dormant: options.dormant ?? 'refuse',
  });
}

function resultOf(example: Example, line: number, evaluation: PolicyEvaluation): PolicyTestResult {
  const { decision, findings } = evaluation;
  const fired = [
    ...new Set(findings.filter((finding) => finding.outcome === 'fired').map((finding) => finding.key)),
  ].sort();
  const expectedFired = example.fired === undefined ? fired : [...new Set(example.fired)].sort();
  const sameFired = JSON.stringify(fired) === JSON.stringify(expectedFired);
  const wrongDecision =
    decision === example.expect ? null : `expected ${example.expect}, got ${decision}${whyOf(evaluation)}`;
  const wrongFired = sameFired ? null : `expected [${expectedFired.join(', ')}] to fire, got [${fired.join(', ')}]`;
  const problem = wrongDecision ?? wrongFired;
  return {
    name: example.name,
    line,
    passed: problem === null,
    expected: example.expect,
    actual: decision,
    fired,
    problem,
  };
}

/** Which policy decided first and what it says, in one line; nothing where none did. */
function whyOf({ reasons }: PolicyEvaluation): string {
  const [reason] = reasons;
  const key = reason?.data['policy'];
  if (reason === undefined || typeof key !== 'string') return '';
  return ` by '${key}': ${oneLine(reason.message)}`;
}

const PROVENANCE = { source: 'authored', at: '1970-01-01T00:00:00.000Z' } as const;

/** Knows every concept, and between those that a call names the edges that policies stand on. */
function edgeGrounder(policies: PolicySet): Grounder {
  return {
    check: (query) => {
      const names = new Map(query.concepts.map((name) => [foldName(name), name]));
      const primitives: Primitive[] = [...names].map(([id, name]) => ({
        id,
        name,
        depths: [],
        provenance: PROVENANCE,
      }));
      const pathway: Edge[] = policies.placements
        .map((placement) => ({
          source: foldName(placement.source),
          sourceDepth: placement.sourceDepth,
          relation: 'applies-to' as const,
          target: foldName(placement.target),
          targetDepth: 0 as const,
        }))
        .filter((edge) => names.has(edge.source) && names.has(edge.target));
      const result: GroundingResult = {
        grounded: query.concepts.length > 0,
        resolved: query.concepts,
        gaps: [],
        pathway,
        primitives,
        graph: { epoch: 'policies', revision: 0 },
        view: digest([...names.keys()]),
      };
      return Promise.resolve(result);
    },
  };
}
