import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PEERS = fileURLToPath(new URL('../peers', import.meta.url));

export type Xstate = {
  readonly createMachine: (config: object) => unknown;
  readonly initialTransition: (machine: unknown) => [unknown];
  readonly transition: (machine: unknown, snapshot: unknown, event: object) => [unknown];
  readonly createActor: (machine: unknown) => { readonly start: () => void; readonly send: (event: object) => void };
};

/** The file of xstate, or undefined where it is not installed. */
function xstateFile(): string | undefined {
  const file = join(PEERS, 'node_modules/xstate/dist/xstate.cjs.js');
  return existsSync(file) ? file : undefined;
}

/** The peer, or undefined where it is not installed. */
export function loadXstate(): Xstate | undefined {
  const file = xstateFile();
  return file === undefined ? undefined : (createRequire(import.meta.url)(file) as Xstate);
}

type Scion = { start(): void; gen(event: object): void };

type ScionModule = { readonly Statechart: new (model: object) => Scion };

/** The engine that the chart's own tests compare with. */
export function createScion(model: object): Scion {
  const chart = resolve(import.meta.dirname, '../../packages/chart/package.json');
  const { Statechart } = createRequire(chart)('@scion-scxml/core') as ScionModule;
  return new Statechart(model);
}
