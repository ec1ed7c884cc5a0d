import { toMermaid } from '@warrant/chart';
import { loadChart } from '../chart/load-chart.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

type Options = { readonly highlight?: readonly string[] };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<file>', 'a chart as .scxml, .yaml or .json')
      .option('--highlight <states...>', 'states to show as active'),
  run: (call) => {
    const { chart } = loadChart(call.terminal.directory, call.words[0] ?? '');
    const diagram = toMermaid(chart, { highlight: call.options.highlight ?? [] });
    print(call, { diagram }, diagram);
    return exitCodes.ok;
  },
};
