import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & { readonly output?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command).option('-o, --output <file>', 'write to a new file instead of printing'),
  run: (call) =>
    withMemory(call, async ({ memory }) => {
      const { output } = call.options;
      if (output === undefined) {
        for await (const line of memory.system.exportJsonl()) call.terminal.write(line);
        return exitCodes.ok;
      }
      const file = resolve(call.terminal.directory, output);
      // Whoever may read the memory's folder is not asked about this file: nobody else reads it.
      const stream = createWriteStream(file, { flags: 'wx', mode: 0o600 });
      await pipeline(Readable.from(memory.system.exportJsonl()), stream);
      const text = `wrote ${file}; what is forgotten later stays in this copy`;
      print(call, { file, bytes: stream.bytesWritten }, text);
      return exitCodes.ok;
    }),
};
