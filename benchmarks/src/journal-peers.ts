import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

type Emmett = {
  append(version: bigint, events: readonly { readonly type: string; readonly data: unknown }[]): Promise<bigint>;
};
type LangGraph = { put(thread: string, data: unknown): Promise<void>; close(): void };
type Module = { openEmmett(path: string): Promise<Emmett>; openLangGraph(path: string): LangGraph };

const FOLDER = fileURLToPath(new URL('../peers', import.meta.url));

/** The peers' own packages, or undefined where they are not installed. */
export async function openPeers(
  folder: string,
): Promise<{ readonly emmett: Emmett; readonly langGraph: LangGraph; readonly close: () => void } | undefined> {
  if (!existsSync(join(FOLDER, 'node_modules', '@langchain'))) return undefined;
  // Its absence ends the process from within the peer, where nothing can catch it.
  if (!existsSync(join(FOLDER, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node'))) return undefined;
  const module = await load();
  if (module === undefined) return undefined;
  const emmett = await module.openEmmett(join(folder, 'emmett.db'));
  const langGraph = module.openLangGraph(join(folder, 'langgraph.db'));
  return { emmett, langGraph, close: () => langGraph.close() };
}

async function load(): Promise<Module | undefined> {
  try {
    return (await import(pathToFileURL(join(FOLDER, 'journal.mjs')).href)) as Module;
  } catch (error) {
    // An installation that is not done, or whose native parts were not built.
    console.log(
      `  peers cannot be loaded: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`,
    );
    return undefined;
  }
}
