import type { Primitive, ReviewDecision } from '@warrant/core';
import { type Experience, graphHealth, type HealthFinding } from '@warrant/grounding/experience';
import { edgeState, type FailureCount } from '@warrant/grounding/failures';
import { readExperiences, type Workspace } from '@warrant/workspace';
import { InvalidArgumentError } from 'commander';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly halfLife?: number; readonly at?: string; readonly all?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option(
        '--half-life <days>',
        'after so many days without use half of the confidence is left (default: experience.halfLifeDays of warrant.yaml)',
        wholeNumber(1),
      )
      .option('--at <time>', 'judge from this moment, ISO-8601 (default: now)', isoMoment)
      .option('--all', 'also what was never used'),
  run: (call) =>
    withWorkspace(
      call,
      async (workspace) => {
        const { halfLife, at, all = false } = call.options;
        const experiences = await readExperiences(workspace, {
          ...(halfLife === undefined ? {} : { halfLifeDays: halfLife }),
          ...(at === undefined ? {} : { at }),
        });
        const primitives: Primitive[] = [];
        for await (const primitive of workspace.graph.primitives()) primitives.push(primitive);
        const findings = graphHealth(primitives, experiences);
        const shown = findings.filter(({ code }) => all || code !== 'never-exercised');
        const used = [...experiences.values()].sort(
          (a, b) => a.confidence - b.confidence || (a.concept < b.concept ? -1 : 1),
        );
        const hidden = findings.length - shown.length;
        const failures = await readFailures(workspace);
        print(
          call,
          { experiences: used, findings, failures },
          [
            ...used.map(usedLine),
            ...shown.map(findingLine),
            ...failures.map(failureLine),
            `${used.length} levels were used, ${hidden === 0 ? 'none' : hidden} never${hidden === 0 ? '' : ' (--all shows them)'}`,
          ].join('\n'),
        );
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};

function usedLine({ concept, level, exercised, confidence, acts }: Experience): string {
  const { ok, error, blocked, declined } = acts;
  const ended =
    ok + error + blocked + declined === 0 ? '' : `; acts: ${ok} ok, ${error} failed, ${blocked + declined} refused`;
  return `${String(Math.round(confidence * 100)).padStart(3)} %  ${concept} D${level}  used ${exercised === 1 ? 'once' : `${exercised} times`}${ended}`;
}

const WORDS: Readonly<Record<HealthFinding['code'], string>> = {
  'often-blocked': 'acts on it are mostly refused',
  'grounded-but-failing': 'it is grounded, and acts on it fail: something is not modelled',
  stale: 'nothing has used it for long',
  'never-exercised': 'nothing has ever used it',
};

function findingLine({ code, concept, level }: HealthFinding): string {
  return `  !    ${concept} D${level}: ${WORDS[code]} (${code})`;
}

type SeenFailure = FailureCount & { readonly standing: ReviewDecision['type'] | 'known' | 'not-filed' };

/** What failures pointed at, with what became of the proposal. */
async function readFailures({ failureCounts, reviewer, graph }: Workspace): Promise<readonly SeenFailure[]> {
  const seen: SeenFailure[] = [];
  for (const one of await failureCounts.list()) {
    const view = await graph.view([one.edge.source, one.edge.target]);
    const decision = await reviewer.status(one.proposalId);
    const isKnown = edgeState(view, one.edge).type === 'known';
    seen.push({ ...one, standing: isKnown ? 'known' : (decision?.type ?? 'not-filed') });
  }
  return seen;
}

function failureLine({ edge, entry, count, lastAt, standing }: SeenFailure): string {
  const said = `${edge.source} D${edge.sourceDepth} ${edge.relation} ${edge.target} D${edge.targetDepth}`;
  return `  x    ${count} ${count === 1 ? 'failure points' : 'failures point'} at: ${said} (${entry}, last ${lastAt}; ${standing})`;
}

function isoMoment(text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('it is no time, such as 2026-01-31T12:00:00Z.');
  return new Date(at).toISOString();
}
