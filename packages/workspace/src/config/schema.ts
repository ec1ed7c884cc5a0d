import * as z from 'zod';
import { claudeConfig } from './claude-schema.ts';

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

const graphConfig = z
  .strictObject({
    neo4j: z
      .strictObject({
        url: z.string().min(1).optional().meta({
          description: 'Address of the server, such as bolt://127.0.0.1:7687. Without it WARRANT_NEO4J_URL names it.',
        }),
        graph: z
          .string()
          .regex(/^[A-Za-z0-9._-]{1,64}$/)
          .default('default')
          .meta({ description: 'Which of the graphs in the database; it is made where it is missing.' }),
        database: z.string().min(1).optional().meta({ description: "A database by name; without it the user's own." }),
      })
      .optional()
      .meta({
        description:
          'Keeps the graph in Neo4j instead. User and password come from WARRANT_NEO4J_USER and WARRANT_NEO4J_PASSWORD alone.',
      }),
  })
  .meta({ description: 'The graph: where is it kept? Without a setting, in this workspace.' });

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
    domains: z
      .union([z.literal('auto'), z.array(z.enum(['network', 'http', 'cloud', 'kubernetes', 'email', 'payments']))])
      .default('auto')
      .meta({
        description:
          'Domains in whose words curl, kubectl, aws, terraform, gh and others are read. auto: those that the graph has a concept of.',
      }),
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

const weight = z.number().min(0);
const experienceConfig = z
  .strictObject({
    halfLifeDays: z
      .number()
      .positive()
      .default(30)
      .meta({ description: 'After so many days without use half of the confidence is left.' }),
    weights: z
      .strictObject({
        grounded: weight.default(1).meta({ description: 'A check that was grounded.' }),
        gap: weight
          .default(1)
          .meta({ description: 'A check that had a gap here, or an act that was refused for one.' }),
        ok: weight.default(2).meta({ description: 'An act that succeeded.' }),
        error: weight.default(2).meta({ description: 'An act that failed.' }),
        blocked: weight.default(0.5).meta({ description: 'An act that a policy refused.' }),
        declined: weight.default(0.5).meta({ description: 'An act that a person refused.' }),
      })
      .prefault({})
      .meta({ description: 'How much one event speaks for what is known (grounded, ok) or against it (the others).' }),
  })
  .meta({
    description: 'How well each level has served, as `warrant graph health` and traces show it; no verdict reads it.',
  });

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
    graph: graphConfig.prefault({}),
    grounding: groundingConfig.prefault({}),
    policy: policyConfig.prefault({}),
    review: reviewConfig.prefault({}),
    shell: shellConfig.prefault({}),
    journal: journalConfig.prefault({}),
    claude: claudeConfig.prefault({}),
    traces: tracesConfig.prefault({}),
    experience: experienceConfig.prefault({}),
  })
  .meta({ id: 'warrant.workspace', title: 'warrant.yaml', description: 'Settings of a Warrant workspace.' });

/** The settings with every default filled in. */
export type WorkspaceConfig = z.output<typeof workspaceSchema>;
