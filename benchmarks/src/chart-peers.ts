import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { isInstalled, PEERS } from './peers.ts';

type XstateSnapshot = {
  readonly status: string;
  readonly context: { readonly n: number };
  can(event: object): boolean;
};

export type Xstate = {
  readonly assign: (change: object) => unknown;
  readonly createMachine: (config: object) => unknown;
  readonly initialTransition: (machine: unknown) => [unknown];
  readonly transition: (machine: unknown, snapshot: unknown, event: object) => [unknown];
  readonly createActor: (machine: unknown) => {
    readonly start: () => void;
    readonly send: (event: object) => void;
    readonly getSnapshot: () => XstateSnapshot;
  };
};

const XSTATE = 'xstate/dist/xstate.cjs.js';

/** The peer, or undefined where it is not installed. */
export function loadXstate(): Xstate | undefined {
  if (!isInstalled(XSTATE)) return undefined;
  return createRequire(import.meta.url)(join(PEERS, 'node_modules', XSTATE)) as Xstate;
}

type Scion = { start(): void; gen(event: object): void };

type ScionModule = { readonly Statechart: new (model: object) => Scion };

/** The engine that the chart's own tests compare with. */
export function createScion(model: object): Scion {
  const chart = resolve(import.meta.dirname, '../../packages/chart/package.json');
  const { Statechart } = createRequire(chart)('@scion-scxml/core') as ScionModule;
  return new Statechart(model);
}
