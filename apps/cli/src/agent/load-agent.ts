import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventTypes } from '@warrant/chart/types';
import { type Inbox, type Journal, WarrantError } from '@warrant/core';
import * as decide from '@warrant/decide';
import { agentDataModel } from '@warrant/decide/cel';
import { planReader } from '@warrant/decide/plans';
import { ajvSchemas } from '@warrant/decide/schemas';
import { readChartFile, resolverIn } from '../chart/load-chart.ts';

/** What a kit file gets, so that it needs to install and import nothing. */
export type KitContext = {
  readonly inbox: Inbox;
  readonly journal: Journal;
  readonly decide: typeof decide;
  readonly dataModel: ReturnType<typeof agentDataModel>;
};
type Kit = Omit<decide.AgentKit, 'agents'> & Pick<decide.AgentDefinition, 'grant' | 'maxAsks'>;

/** The chart of a file as an agent. @throws CHART_INVALID with file, line and column of every fault */
export function loadAgent(
  directory: string,
  given: string,
  kit: Pick<Kit, 'grant' | 'maxAsks'> = {},
): decide.AgentDefinition {
  const file = resolve(directory, given);
  const { grant, maxAsks } = kit;
  return {
    name: 'agent',
    ...readChartFile(file),
    dataModel: agentDataModel(),
    types: eventTypes(),
    schemas: ajvSchemas(),
    plans: planReader(),
    resolver: resolverIn(dirname(file)),
    ...(grant === undefined ? {} : { grant }),
    ...(maxAsks === undefined ? {} : { maxAsks }),
  };
}

/** The kit of a module: its default export, an object or a function that makes one. @throws CLI_USAGE */
export async function loadKit(
  directory: string,
  given: string,
  context: Omit<KitContext, 'decide' | 'dataModel'>,
): Promise<Kit> {
  const file = resolve(directory, given);
  if (!existsSync(file)) throw new WarrantError('CLI_USAGE', `there is no file ${given}`);
  const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  const made: unknown =
    typeof module.default === 'function'
      ? await (module.default as (context: KitContext) => unknown)({ ...context, decide, dataModel: agentDataModel() })
      : module.default;
  if (typeof made !== 'object' || made === null)
    throw new WarrantError(
      'CLI_USAGE',
      `${given} exports no kit as its default: an object, or a function that makes one`,
    );
  return made as Kit;
}
