import { AsyncLocalStorage } from 'node:async_hooks';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClaudeEngine, Mode } from '@warrant/adapter-claude-agent';
import type { Workspace } from '@warrant/workspace';
import { type WireOptions, wireEngine } from './engine.ts';
import { createLaterDrain, type LaterDrain } from './later-drain.ts';
import { openHooked } from './open-hooked.ts';

type OnReport = NonNullable<WireOptions['onReport']>;

/** A workspace that stays open, as its settings and policies are now. */
export type ServedWorkspace = {
  readonly directory: () => Promise<string>;
  /** Answers with the engine of a mode; what is under way is finished with the settings that it began with. */
  readonly use: <T>(
    how: {
      readonly mode: Mode;
      readonly blockCap: number | undefined;
      /** Told of what was swallowed in this work. */
      readonly onReport: OnReport;
    },
    work: (engine: ClaudeEngine) => Promise<T>,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
};

type Opened = {
  readonly workspace: Workspace;
  readonly engines: Map<string, Promise<ClaudeEngine>>;
  readonly signature: string;
  readonly records: LaterDrain;
  users: number;
  retired: boolean;
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opened anew for the next event when settings, policies or mappings were written since. */
export function createServedWorkspace(directory: string): ServedWorkspace {
  let open: Promise<Opened> | undefined;
  // Engines are shared by events that are answered at the same time.
  const reports = new AsyncLocalStorage<OnReport>();
  const acquire = async (): Promise<Opened> => {
    for (;;) {
      open ??= reopen(directory);
      const mine = open;
      const opened = await mine.catch((error: unknown) => {
        // What could not be opened now may be opened once it was mended.
        if (open === mine) open = undefined;
        throw error;
      });
      if (open === mine && signatureOf(opened.workspace) === opened.signature) {
        opened.users += 1;
        return opened;
      }
      if (open === mine) open = undefined;
      if (!opened.retired) await retire(opened);
    }
  };
  return {
    directory: async () => {
      const opened = await acquire();
      await release(opened);
      return opened.workspace.paths.folder;
    },
    use: async ({ mode, blockCap, onReport }, work) => {
      const opened = await acquire();
      const { records } = opened;
      try {
        await records.ready();
        const name = `${mode}/${blockCap ?? ''}`;
        const toWhoAsked: OnReport = (report) => reports.getStore()?.(report);
        const wired = { mode, blockCap, drain: records.left, onReport: toWhoAsked };
        const engine = opened.engines.get(name) ?? wireEngine(opened.workspace, wired);
        opened.engines.set(name, engine);
        const made = await engine;
        return await reports.run(onReport, () => work(made));
      } finally {
        // The answer goes first.
        setImmediate(
          () =>
            void records
              .run()
              .then(() => release(opened))
              .catch(noted),
        );
      }
    },
    close: async () => {
      const current = open;
      open = undefined;
      if (current === undefined) return;
      const opened = await current;
      await retire(opened);
      await opened.closed;
    },
  };
}

async function reopen(directory: string): Promise<Opened> {
  const workspace = await openHooked(directory);
  let told = (_closing: Promise<void>): void => undefined;
  const closed = new Promise<void>((done) => {
    told = done;
  });
  closed.catch(noted);
  return {
    workspace,
    engines: new Map(),
    signature: signatureOf(workspace),
    records: createLaterDrain(workspace),
    users: 0,
    retired: false,
    closed,
    close: () => {
      told(workspace.close());
      return closed;
    },
  };
}

/** What fails as a workspace is closed is told to who closes it. */
function noted(): void {}

async function release(opened: Opened): Promise<void> {
  opened.users -= 1;
  if (opened.retired && opened.users === 0) await opened.close();
}

async function retire(opened: Opened): Promise<void> {
  opened.retired = true;
  if (opened.users === 0) await opened.close();
}

function signatureOf({ paths, config }: Workspace): string {
  const mappings = config.claude.mappings.flatMap((mapping) => ('file' in mapping ? [mapping.file] : []));
  const { programs } = config.shell;
  const files = [paths.config, ...config.policy.files, ...mappings, ...(programs === undefined ? [] : [programs])];
  // Another file in the database's place is another database: what is written to the old one nobody finds.
  const database = statSync(paths.database, { throwIfNoEntry: false })?.ino ?? 'gone';
  return files
    .map((file) => statSync(resolve(paths.folder, file), { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? 'gone' : `${stat.mtimeMs}/${stat.size}/${stat.ino}`))
    .concat(String(database))
    .join();
}
