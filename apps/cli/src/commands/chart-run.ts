import { CONSOLE_HELP, createConsole, type Turn } from '../chart/console.ts';
import { loadChart } from '../chart/load-chart.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

type Options = { readonly events?: readonly string[] };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<file>', 'a chart as .scxml, .yaml or .json')
      .option('--events <lines...>', 'take these lines instead of asking for them')
      .addHelpText('after', `\nWhat can be typed:\n${CONSOLE_HELP}`),
  run: async (call) => {
    const { first, session, take } = createConsole(loadChart(call.terminal.directory, call.words[0] ?? ''));
    const isJson = call.options.json === true;
    const say = (text: string) => {
      if (!isJson) call.terminal.write(text);
    };
    const given = call.options.events === undefined ? undefined : [...call.options.events];
    const next = async () => (given === undefined ? await call.terminal.ask('> ') : (given.shift() ?? null));
    const turns: Turn[] = [];
    say(first);
    while (session.state().status === 'running') {
      const line = await next();
      if (line === null || line.trim() === 'quit') break;
      if (line.trim() === '') continue;
      const turn = take(line);
      turns.push(turn);
      say(given === undefined ? turn.text : `> ${line}\n${turn.text}`);
    }
    if (isJson) print(call, { turns, state: session.state() }, '');
    return session.state().status === 'stopped' ? exitCodes.no : exitCodes.ok;
  },
};
