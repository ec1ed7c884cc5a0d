import { digest, type Json, type JsonObject, type Label, type ToolOutcome, WarrantError } from '@warrant/core';
import { isAbsoluteIri } from './iri.ts';
import type { AgentTool } from './kit.ts';

/** What a function of a tool gives back. */
// biome-ignore lint/suspicious/noConfusingVoidType: functions that return nothing are of this type and no other
export type Returned = Json | void;

export type ToolOptions<Args extends JsonObject> = {
  /** Absolute IRI. */
  readonly iri: string;
  readonly description?: string;
  /** JSON Schema of the arguments. @default any object */
  readonly arguments?: JsonObject;
  /** JSON Schema of the result. @default anything */
  readonly result?: JsonObject;
  /** Whether calling twice does no more than calling once: then a call whose end nobody knows is made again. @default false */
  readonly repeatable?: boolean;
  /** What the result is trusted as. @default tool, from this IRI */
  readonly label?: Label;
  /** What it returns is the result; nothing returned is `null`. */
  readonly call: (args: Args, options: Parameters<AgentTool['call']>[1]) => Promise<Returned> | Returned;
  readonly status?: (key: string) => ReturnType<NonNullable<AgentTool['status']>>;
};

/** A tool from a function. What the function throws is a failed call, never an error of the host. @throws DECIDE_TOOL */
export function createTool<Args extends JsonObject = JsonObject>(options: ToolOptions<Args>): AgentTool {
  const { iri, description, repeatable = false, status } = options;
  if (!isAbsoluteIri(iri))
    throw new WarrantError('DECIDE_TOOL', 'a tool is named by an absolute IRI', { data: { iri } });
  const schemas = { arguments: options.arguments ?? { type: 'object' }, result: options.result ?? {} };
  return {
    iri,
    ...schemas,
    ...(description === undefined ? {} : { description }),
    repeatable,
    digest: digest({ iri, description: description ?? '', ...schemas }),
    call: async (args, context): Promise<ToolOutcome> => {
      const result = (await options.call(args as Args, context)) ?? null;
      return { type: 'ok', result, label: options.label ?? { trust: 'tool', sources: [iri] } };
    },
    ...(status === undefined ? {} : { status }),
  };
}
