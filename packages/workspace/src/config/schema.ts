import * as z from 'zod';

const groundingConfig = z
  .strictObject({
    minDepth: z
      .int()
      .min(0)
      .max(4)
      .optional()
      .meta({ description: 'Least depth that every named concept must have, on top of what its edges demand.' }),
  })
  .meta({ description: 'Grounding: does the agent know enough?' });

const policyConfig = z
  .strictObject({
    files: z
      .array(z.string().min(1))
      .default([])
      .meta({ description: 'Policy files (warrant.policy/1), relative to the .warrant folder.' }),
    approvalMinutes: z
      .number()
      .positive()
      .default(60)
      .meta({ description: 'How long a question waits for its answer before it counts as refused, in minutes.' }),
    timeoutMs: z
      .int()
      .positive()
      .default(5000)
      .meta({ description: 'How long one policy may take before it counts as fired, in milliseconds.' }),
  })
  .meta({ description: 'Policies: may the agent act?' });

const reviewConfig = z
  .strictObject({
    file: z.string().min(1).optional().meta({
      description:
        'A file with rules at review.policy, relative to the .warrant folder. Without it every proposal waits for a person.',
    }),
  })
  .meta({ description: 'Review: which proposals land by themselves, which wait, which are refused?' });

const shellConfig = z
  .strictObject({
    programs: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'A file that teaches further programs, relative to the .warrant folder.' }),
  })
  .meta({ description: 'Shell: what would a command line do?' });

const journalConfig = z
  .strictObject({
    synchronous: z.enum(['full', 'normal']).default('full').meta({
      description: 'full: what was acknowledged survives a power loss. normal: it survives a crash of the process.',
    }),
  })
  .meta({ description: 'Journal: the record of what was asked and decided.' });

const tracesConfig = z
  .strictObject({
    enabled: z.boolean().default(true).meta({ description: 'Write a line per check to .warrant/traces.' }),
    maxBytes: z
      .int()
      .positive()
      .default(10_000_000)
      .meta({ description: 'Size at which a trace file is rotated, in bytes.' }),
    maxAgeDays: z
      .number()
      .positive()
      .default(30)
      .meta({ description: 'Age at which a trace file is removed, in days.' }),
  })
  .meta({ description: 'Trace files.' });

/** `.warrant/warrant.yaml`: one fragment a layer. */
export const workspaceSchema = z
  .strictObject({
    format: z.literal('warrant.workspace/1').meta({ description: 'The format of this file.' }),
    agent: z
      .string()
      .min(1)
      .max(200)
      .default('agent')
      .meta({ description: 'Key of the agent that acts here unless another is named.' }),
    person: z
      .string()
      .min(1)
      .max(200)
      .default('person')
      .meta({ description: 'Key of the person who answers on this command line.' }),
    enforce: z
      .boolean()
      .default(true)
      .meta({ description: 'false: nothing is refused; what would have been is recorded.' }),
    grounding: groundingConfig.prefault({}),
    policy: policyConfig.prefault({}),
    review: reviewConfig.prefault({}),
    shell: shellConfig.prefault({}),
    journal: journalConfig.prefault({}),
    traces: tracesConfig.prefault({}),
  })
  .meta({ id: 'warrant.workspace', title: 'warrant.yaml', description: 'Settings of a Warrant workspace.' });

/** The settings with every default filled in. */
export type WorkspaceConfig = z.output<typeof workspaceSchema>;
