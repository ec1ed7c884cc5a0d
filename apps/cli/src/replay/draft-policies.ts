import { stringify } from 'yaml';
import type { ReplayedCall, ReplayReport } from './report.ts';

type Edge = ReplayedCall['edges'][number];
type Seen = { readonly edge: Edge; count: number; readonly example: string };

/** Examples are one line of a comment. */
const LONGEST_EXAMPLE = 90;

/**
 * A policy document to edit, made from calls that changed something: a policy for each edge that they were about and calls
 * that only look were not, the most frequent first. None of it counts until a person wants it.
 */
export function draftPolicies({ calls }: Pick<ReplayReport, 'calls'>): {
  readonly text: string;
  readonly policies: number;
  readonly calls: number;
} {
  const looked = new Set(calls.filter(({ changes }) => !changes).flatMap(({ edges }) => edges.map(nameOf)));
  const seen = new Map<string, Seen>();
  for (const call of calls.filter(({ changes }) => changes)) {
    for (const [name, edge] of new Map(call.edges.map((one) => [nameOf(one), one]))) {
      if (looked.has(name)) continue;
      const known = seen.get(name) ?? { edge, count: 0, example: exampleOf(call) };
      known.count += 1;
      seen.set(name, known);
    }
  }
  const ordered = [...seen.values()].sort((a, b) => b.count - a.count || (nameOf(a.edge) < nameOf(b.edge) ? -1 : 1));
  return { text: documentOf(ordered, calls.length), policies: ordered.length, calls: calls.length };
}

function nameOf({ source, sourceDepth, target }: Edge): string {
  return JSON.stringify([source, sourceDepth, target]);
}

function exampleOf({ tool, about }: ReplayedCall): string {
  return `${tool} ${about}`.replace(/\p{C}+/gu, ' ').slice(0, LONGEST_EXAMPLE);
}

function documentOf(seen: readonly Seen[], calls: number): string {
  return [
    'format: warrant.policy/1',
    `# Drafted from ${calls} calls. Nothing below counts yet. For each policy that is wanted, take the leading '# ' away, and`,
    "# with the first of them the '[]'; say for whom it asks ('confirmWhen') or refuses ('blockWhen'), and why. Then name this",
    '# file in warrant.yaml, and see with `warrant replay --compare` what it would have changed.',
    'policies: []',
    ...seen.flatMap(({ edge, count, example }) => [
      '',
      `  # -- ${count} ${count === 1 ? 'call' : 'calls'}, such as ${example}`,
      ...stringify([policyOf(edge)], { lineWidth: 0 })
        .trimEnd()
        .split('\n')
        .map((line) => `  # ${line}`),
    ]),
    '',
  ].join('\n');
}

function policyOf({ source, sourceDepth, target }: Edge): object {
  return {
    key: `${source}-${target}`,
    source,
    target,
    sourceDepth,
    confirmWhen: 'true',
    message: `say why a person should see this before it happens`,
  };
}
