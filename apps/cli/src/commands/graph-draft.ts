import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { writeFileAtomic } from '@warrant/core/files';
import { readTraces } from '@warrant/grounding/files';
import { type CommandCall, type CommandModule, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { draftGraph, type SeenCheck } from '../graph/draft.ts';
import { draftTools, readToolDefinitions } from '../graph/draft-tools.ts';
import { handOutDraft } from '../replay/hand-out-draft.ts';
import { readNamedTranscripts, reportOf } from '../replay/run-replay.ts';

type Options = {
  readonly output?: string;
  readonly tools?: string;
  readonly mapping?: string;
  readonly workspace?: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('[transcript...]', 'recorded sessions to draft from, as `warrant replay` reads them, instead of checks')
      .option('--workspace <folder>', 'with transcripts: what is known is in this workspace, not in the seeds')
      .option('-o, --output <file>', 'write to a file instead of printing')
      .option(
        '--tools <file>',
        'draft from the definitions of tools (MCP or function tools, JSON) instead of from checks',
      )
      .option('--mapping <file>', 'with --tools: where to write which concepts each tool is about'),
  run: (call) => {
    if (call.options.tools !== undefined) return fromTools(call, call.options.tools);
    return call.words.length === 0 ? fromChecks(call) : fromTranscripts(call);
  },
};

function fromChecks(call: CommandCall<Options>): Promise<ExitCode> {
  return withWorkspace(call, async ({ paths }) => {
    const checks: SeenCheck[] = [];
    for await (const trace of readTraces(paths.traces)) checks.push(trace);
    return told(call, draftGraph(checks));
  });
}

async function fromTranscripts(call: CommandCall<Options>): Promise<ExitCode> {
  const { workspace } = call.options;
  const { calls } = await reportOf(
    call,
    await readNamedTranscripts(call),
    workspace === undefined ? {} : { workspace },
  );
  return told(call, draftGraph(calls.filter(({ concepts }) => concepts.length > 0)));
}

function told(call: CommandCall<Options>, draft: ReturnType<typeof draftGraph>): Promise<ExitCode> {
  return handOutDraft(call, draft, {
    nothing: draft.concepts > 0 ? null : `${draft.checks} checks were seen, none had a gap: there is nothing to draft.`,
    written: (file) =>
      `wrote ${draft.concepts} concepts to ${file}: edit it, then \`warrant graph import ${call.options.output}\``,
  });
}

async function fromTools(call: CommandCall<Options>, name: string): Promise<ExitCode> {
  const { directory } = call.terminal;
  const tools = readToolDefinitions(parseJson(await readFile(resolve(directory, name), 'utf8')));
  if (tools === undefined) {
    const message = `${name} holds no list of tools: { "tools": [{ "name": …, "inputSchema": … }] }, or function tools.`;
    return refuse(call, exitCodes.usage, 'CLI_NO_TOOLS', message);
  }
  const draft = draftTools(tools, basename(name));
  const { output, mapping } = call.options;
  if (output !== undefined) await writeFileAtomic(resolve(directory, output), draft.graph);
  if (mapping !== undefined) await writeFileAtomic(resolve(directory, mapping), draft.mapping);
  const said = [
    output === undefined ? draft.graph : `wrote ${draft.concepts} concepts to ${output}: edit it, then import it`,
    mapping === undefined ? draft.mapping : `wrote ${draft.tools} tools to ${mapping}: look at every guess`,
  ];
  print(call, draft, said.join('\n'));
  return exitCodes.ok;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
