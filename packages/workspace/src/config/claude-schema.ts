import * as z from 'zod';

const claudeTool = z
  .strictObject({
    match: z.string().min(1).max(200).meta({ description: "The tool's name; * stands for any part of it." }),
    concepts: z.array(z.string().min(1)).optional().meta({ description: 'Concepts that a call touches.' }),
    effect: z
      .enum(['read', 'write', 'delete', 'shell', 'internal'])
      .optional()
      .meta({ description: 'What a call does; internal touches nothing outside the client. Default: write.' }),
    targets: z
      .array(z.string().startsWith('/'))
      .optional()
      .meta({ description: 'JSON Pointers into the arguments to what a call touches.' }),
    trust: z
      .enum(['web', 'tool', 'provider', 'agent', 'human'])
      .optional()
      .meta({ description: 'How far results of this tool are to be trusted. Default: tool.' }),
  })
  .meta({ description: 'What a tool means to Warrant.' });

const server = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'The MCP server, by the name under which the client has it.' });
const seedMapping = z
  .strictObject({
    server,
    seed: z
      .enum(['filesystem', 'git', 'http', 'cloud', 'kubernetes', 'email', 'payments'])
      .meta({ description: 'The seed whose mapping of common tools counts.' }),
  })
  .meta({ description: 'A server whose tools are named as those of a seed.' });
const fileMapping = z
  .strictObject({
    server,
    file: z.string().min(1).meta({ description: 'A mapping (warrant.tools/1), relative to the .warrant folder.' }),
  })
  .meta({ description: 'A server whose tools a file maps, as `warrant graph draft --mapping` writes one.' });

const normalizerRule = z
  .strictObject({
    tool: z.string().min(1).max(200),
    drop: z
      .array(z.string().startsWith('/'))
      .optional()
      .meta({ description: 'JSON Pointers to members that change with each answer; a * step is every member.' }),
    ignore: z
      .array(z.enum(['digits', 'case', 'order']))
      .optional()
      .meta({ description: 'What else does not count: digits, the case of letters, the order of lines.' }),
  })
  .meta({ description: "What of a tool's answers does not make them new." });
const extractorRule = z
  .strictObject({
    tool: z.string().min(1).max(200),
    at: z.array(z.string().startsWith('/')).min(1).meta({ description: 'JSON Pointers into the answer.' }),
  })
  .meta({ description: "What in a tool's answers names what it looked at." });
const verifierProgram = z
  .strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .meta({ description: 'A program and its arguments; it reads the claim as JSON and prints 0 to 1, or null.' }),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .meta({ description: 'Confidence below which a claim is refused.' }),
    seconds: z.number().positive().max(600).default(30).meta({ description: 'How long it may take.' }),
  })
  .meta({ description: 'A second look at claims that would pass; it can only refuse.' });
const subagentRights = z
  .strictObject({
    tools: z.array(z.string().min(1)).optional().meta({ description: 'Tools by pattern; without it any.' }),
    concepts: z.array(z.string().min(1)).optional().meta({ description: 'Concepts it may touch; without it any.' }),
  })
  .meta({ description: 'What a kind of subagent may do; a child never has more than who called it.' });
const captureConfig = z
  .strictObject({
    conversation: z
      .boolean()
      .default(false)
      .meta({ description: 'Keep prompts, answers and results as JSONL beside the memory, secrets replaced.' }),
    directories: z
      .array(z.string().min(1))
      .default([])
      .meta({ description: 'Directories whose files are remembered by name at the begin and end of work.' }),
    mostFiles: z.int().positive().max(10_000).default(200).meta({ description: 'Most files of one directory.' }),
  })
  .meta({ description: 'What is kept of sessions besides what memory finds worth it. Nothing by default.' });

/** Settings of `warrant hook`. */
export const claudeConfig = z
  .strictObject({
    ask: z.enum(['client', 'inbox']).default('client').meta({
      description: 'Who is asked: the client itself, or the inbox, whose answer is waited for and used once.',
    }),
    askSeconds: z.number().positive().max(3600).default(45).meta({
      description: 'How long an answer from the inbox is waited for, in seconds; the hook is given 15 more.',
    }),
    maxBlocks: z.int().min(0).max(8).default(3).meta({
      description: 'Ends of a turn that are refused before it is let go, marked as unverified.',
    }),
    gateSubagents: z.boolean().default(false).meta({ description: 'Whether subagents are held at their end as well.' }),
    emitProgress: z
      .boolean()
      .default(false)
      .meta({ description: 'Tell the model after each call how much of its budget is left.' }),
    readOnlyTools: z.array(z.string().min(1)).default([]).meta({ description: 'Tools that only look, by pattern.' }),
    mutatingTools: z
      .array(z.string().min(1))
      .default([])
      .meta({ description: 'Tools that change something, by pattern; goes before readOnlyTools.' }),
    tools: z.array(claudeTool).default([]).meta({
      description: 'Tools of MCP servers and others, before those that are known by name.',
    }),
    mappings: z
      .array(z.union([seedMapping, fileMapping]))
      .default([])
      .meta({
        description: 'Servers whose tools are mapped to concepts all at once; after tools, before those known by name.',
      }),
    normalizers: z
      .array(normalizerRule)
      .default([])
      .meta({ description: 'For the gate: when an answer is no new one.' }),
    extractors: z.array(extractorRule).default([]).meta({ description: 'For the gate: what an answer is of.' }),
    verifier: verifierProgram.optional(),
    subagents: z
      .record(z.string().min(1), subagentRights)
      .default({})
      .meta({ description: 'Bounds of subagents by kind; * for the others.' }),
    capture: captureConfig.prefault({}),
    memory: z.boolean().default(false).meta({ description: 'Recall from and write to the memory in .warrant/memory.' }),
    recallTokens: z
      .int()
      .positive()
      .default(1000)
      .meta({ description: 'Most tokens of what is recalled for a prompt; half of it before a call.' }),
  })
  .meta({ description: 'Claude Code and the Claude Agent SDK: `warrant hook`.' });
