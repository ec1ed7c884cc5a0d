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
  const made = await told(given, async () => {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    return typeof module.default === 'function'
      ? ((await (module.default as (context: KitContext) => unknown)({
          ...context,
          decide,
          dataModel: agentDataModel(),
        })) as unknown)
      : module.default;
  });
  const fault = kitFault(made);
  if (fault !== undefined) throw new WarrantError('CLI_USAGE', `${given} ${fault}`);
  return made as Kit;
}

/** A kit file is the user's own: what it throws is no fault of this program. */
async function told<T>(given: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw new WarrantError('CLI_USAGE', `${given} cannot be loaded: ${message}`, { cause });
  }
}

/** What of a kit is not of its form; agents would hear of it only when they need it. */
function kitFault(made: unknown): string | undefined {
  if (!isObject(made)) return 'exports no kit as its default: an object, or a function that makes one';
  const { deciders = {}, providers = {}, tools = [], secrets = {} } = made;
  for (const [what, members, method] of [
    ['deciders', deciders, 'decide'],
    ['providers', providers, 'complete'],
  ] as const) {
    if (!isObject(members)) return `has '${what}' that are no object of them by name`;
    const wrong = Object.entries(members).find(([, one]) => !isObject(one) || typeof one[method] !== 'function');
    if (wrong !== undefined) return `has '${wrong[0]}' in '${what}', which has no '${method}'`;
  }
  if (!isObject(secrets) || Object.values(secrets).some((one) => typeof one !== 'function'))
    return "has 'secrets' that are no object of functions by name";
  const isTool = (one: unknown) =>
    isObject(one) && typeof one['iri'] === 'string' && typeof one['call'] === 'function' && isObject(one['arguments']);
  return Array.isArray(tools) && tools.every(isTool) ? undefined : "has 'tools' that are no list of tools";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
