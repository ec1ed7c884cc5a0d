import { initial, step } from '@warrant/chart';
import { loadChart } from '../chart/load-chart.ts';
import { FIRST_MOMENT, stateFrom } from '../chart/state-file.ts';
import { typedEvent } from '../chart/typed-event.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

type Options = { readonly state?: string; readonly at: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<file>', 'a chart as .scxml, .yaml or .json')
      .argument('[event]', "the event's name; without it, the start")
      .argument('[data]', 'its data as JSON')
      .option('--state <file>', 'the state to go on from (default: the first one)')
      .option('--at <time>', 'the time of the input, ISO-8601 UTC', FIRST_MOMENT),
  run: (call) => {
    const [file = '', name, data = ''] = call.words;
    const { chart } = loadChart(call.terminal.directory, file);
    const { state, at } = call.options;
    const [after, effects] =
      name === undefined
        ? initial(chart, { sessionId: 's1', at })
        : step(chart, stateFrom(chart, { directory: call.terminal.directory, file: state }), {
            at,
            event: typedEvent(`${name} ${data}`),
          });
    const answer = { state: after, effects };
    print(call, answer, JSON.stringify(answer, null, 2));
    return exitCodes.ok;
  },
};
