import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isInstalled, PEERS } from './peers.ts';

type Emmett = {
  append(version: bigint, events: readonly { readonly type: string; readonly data: unknown }[]): Promise<bigint>;
};
type LangGraph = { put(thread: string, data: unknown): Promise<void>; close(): void };
type Module = { openEmmett(path: string): Promise<Emmett>; openLangGraph(path: string): LangGraph };

/** The peers' own packages, or undefined where they are not installed. */
export async function openPeers(
  folder: string,
): Promise<{ readonly emmett: Emmett; readonly langGraph: LangGraph; readonly close: () => void } | undefined> {
  if (!isInstalled('@langchain')) return undefined;
  // Its absence ends the process from within the peer, where nothing can catch it.
  if (!isInstalled('sqlite3/build/Release/node_sqlite3.node')) return undefined;
  const module = await load();
  if (module === undefined) return undefined;
  const emmett = await module.openEmmett(join(folder, 'emmett.db'));
  const langGraph = module.openLangGraph(join(folder, 'langgraph.db'));
  return { emmett, langGraph, close: () => langGraph.close() };
}

async function load(): Promise<Module | undefined> {
  try {
    return (await import(pathToFileURL(join(PEERS, 'journal.mjs')).href)) as Module;
  } catch (error) {
    // An installation that is not done, or whose native parts were not built.
    console.log(
      `  peers cannot be loaded: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`,
    );
    return undefined;
  }
}
