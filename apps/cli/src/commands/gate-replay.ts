import { createShellClassifier } from '@warrant/shell';
import { createGate, type GateConfig, PRESETS, readTrace, renderReplay, replayTrace } from '@warrant/submit-gate';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { readNamed } from '../cli/read-named.ts';

type Options = { readonly preset: string };

const presets: Readonly<Record<string, GateConfig>> = {
  coding: { preset: 'coding' },
  reference: { profile: 'reference' },
  ...Object.fromEntries(Object.keys(PRESETS).map((preset) => [preset, { preset: preset as keyof typeof PRESETS }])),
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<trace>', 'neutral JSONL, a Claude Code transcript, or a list of messages')
      .option('--preset <name>', Object.keys(presets).join(', '), 'coding'),
  run: async (call) => {
    const config = Object.hasOwn(presets, call.options.preset) ? presets[call.options.preset] : undefined;
    if (config === undefined) {
      const message = `There is no preset '${call.options.preset}'; there are ${Object.keys(presets).join(', ')}.`;
      return refuse(call, exitCodes.usage, 'CLI_USAGE', message);
    }
    const trace = readTrace(await readNamed(call.terminal.directory, call.words[0] ?? ''));
    const report = replayTrace(
      createGate({ ...config, classifier: { name: 'shell', classify: createShellClassifier() } }),
      trace,
    );
    print(call, report, renderReplay(report));
    return report.refused === 0 ? exitCodes.ok : exitCodes.no;
  },
};
