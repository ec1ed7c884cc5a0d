import { guard } from './guard.ts';
import type { Guarded, SharedGuardOptions, ToolGuardOptions } from './guard-options.ts';
import { createGuardSession } from './session.ts';

/** A tool with what belongs to it; whatever it sets goes before the shared options. */
export type ToolEntry<Args extends readonly unknown[], Result> = ToolGuardOptions<Args> &
  Partial<SharedGuardOptions> & { readonly tool: (...args: Args) => Result };

/**
 * Guards several tools that share grounder, policies, people, journal and one session. The property is the tool's name
 * where none is given. Nothing is guarded when one of them cannot be.
 * @throws POLICY_ALREADY_GUARDED, POLICY_GUARD_OPTIONS, POLICY_CONCEPTS_INVALID
 */
export function guardAll<
  Args extends { readonly [name: string]: readonly unknown[] },
  Results extends { readonly [name: string]: unknown },
>(
  tools: { readonly [Name in keyof Args]: ToolEntry<Args[Name], unknown> } & {
    readonly [Name in keyof Results]: { readonly tool: (...args: never[]) => Results[Name] };
  },
  shared: SharedGuardOptions,
): { readonly [Name in keyof Args & keyof Results]: Guarded<Args[Name], Results[Name]> } {
  const session = shared.session ?? createGuardSession();
  const guarded: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(tools)) {
    const { tool, ...own } = entry as ToolEntry<readonly unknown[], unknown>;
    guarded[name] = guard(tool, { name, ...shared, session, ...own });
  }
  return Object.freeze(guarded) as {
    readonly [Name in keyof Args & keyof Results]: Guarded<Args[Name], Results[Name]>;
  };
}
