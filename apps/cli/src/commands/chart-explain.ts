import { explain, renderExplanation } from '@warrant/chart';
import { loadChart } from '../chart/load-chart.ts';
import { stateFrom } from '../chart/state-file.ts';
import { typedEvent } from '../chart/typed-event.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

type Options = { readonly state?: string; readonly after?: readonly string[] };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<file>', 'a chart as .scxml, .yaml or .json')
      .argument('<event>', "the event's name")
      .argument('[data]', 'its data as JSON')
      .option('--state <file>', 'the state to look at (default: the first one)')
      .option('--after <events...>', 'events sent before, such as \'pay {"amount":3}\''),
  run: (call) => {
    const [file = '', name = '', data = ''] = call.words;
    const { chart } = loadChart(call.terminal.directory, file);
    const { state, after } = call.options;
    const from = stateFrom(chart, { directory: call.terminal.directory, file: state, after });
    const explanation = explain(chart, from, typedEvent(`${name} ${data}`));
    print(call, explanation, renderExplanation(explanation));
    return explanation.taken.length > 0 ? exitCodes.ok : exitCodes.no;
  },
};
