import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PEERS = fileURLToPath(new URL('../peers', import.meta.url));

export type Xstate = {
  createMachine(config: object): unknown;
  initialTransition(machine: unknown): [unknown];
  transition(machine: unknown, snapshot: unknown, event: object): [unknown];
  createActor(machine: unknown): { start(): void; send(event: object): void };
};

/** The file of xstate, or undefined where it is not installed. */
export function xstateFile(): string | undefined {
  const file = join(PEERS, 'node_modules/xstate/dist/xstate.cjs.js');
  return existsSync(file) ? file : undefined;
}

/** The peer, or undefined where it is not installed. */
export function loadXstate(): Xstate | undefined {
  const file = xstateFile();
  return file === undefined ? undefined : (createRequire(import.meta.url)(file) as Xstate);
}

type Scion = { start(): void; gen(event: object): void };

/** The engine that the chart's own tests compare with. */
export function createScion(model: object): Scion {
  const require = createRequire(resolve(import.meta.dirname, '../../packages/chart/package.json'));
  const { Statechart } = require('@scion-scxml/core') as { Statechart: new (model: object) => Scion };
  return new Statechart(model);
}
