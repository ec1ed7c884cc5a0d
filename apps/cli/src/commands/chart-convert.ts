import { resolve } from 'node:path';
import { writeScxml } from '@warrant/chart/scxml';
import { writeYaml } from '@warrant/chart/yaml';
import { readChartFile } from '../chart/load-chart.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

type Options = { readonly to: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<file>', 'a chart as .scxml, .yaml or .json')
      .option('--to <form>', 'scxml, yaml, vertep (YAML under that header) or json', 'yaml'),
  run: (call) => {
    const { chart } = readChartFile(resolve(call.terminal.directory, call.words[0] ?? ''));
    const writers: Readonly<Record<string, () => string>> = {
      scxml: () => writeScxml(chart),
      yaml: () => writeYaml(chart),
      vertep: () => writeYaml(chart, { header: 'vertep' }),
      json: () => JSON.stringify(chart, null, 2),
    };
    const write = Object.hasOwn(writers, call.options.to) ? writers[call.options.to] : undefined;
    if (write === undefined) {
      call.terminal.writeError(
        `There is no form '${call.options.to}'; there are ${Object.keys(writers).join(', ')}.\n`,
      );
      return exitCodes.usage;
    }
    const text = write();
    print(call, { form: call.options.to, text }, text);
    return exitCodes.ok;
  },
};
