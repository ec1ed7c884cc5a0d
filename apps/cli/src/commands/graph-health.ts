import type { Primitive } from '@warrant/core';
import { type Experience, graphHealth, type HealthFinding } from '@warrant/grounding/experience';
import { readExperiences } from '@warrant/workspace';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly halfLife?: number; readonly all?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option(
        '--half-life <days>',
        'after so many days without use half of the confidence is left (30)',
        wholeNumber(1),
      )
      .option('--all', 'also what was never used'),
  run: (call) =>
    withWorkspace(
      call,
      async (workspace) => {
        const { halfLife, all = false } = call.options;
        const experiences = await readExperiences(workspace, halfLife === undefined ? {} : { halfLifeDays: halfLife });
        const primitives: Primitive[] = [];
        for await (const primitive of workspace.graph.primitives()) primitives.push(primitive);
        const findings = graphHealth(primitives, experiences);
        const shown = findings.filter(({ code }) => all || code !== 'never-exercised');
        const used = [...experiences.values()].sort(
          (a, b) => a.confidence - b.confidence || (a.concept < b.concept ? -1 : 1),
        );
        const hidden = findings.length - shown.length;
        print(
          call,
          { experiences: used, findings },
          [
            ...used.map(usedLine),
            ...shown.map(findingLine),
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
  return `${String(Math.round(confidence * 100)).padStart(3)} %  ${concept} D${level}  used ${exercised} times${ended}`;
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
