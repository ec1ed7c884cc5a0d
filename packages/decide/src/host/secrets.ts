import {
  createIdSource,
  createSecretReplacer,
  type Json,
  type JsonObject,
  type SecretOptions,
  systemClock,
} from '@warrant/core';
import { copyOf } from '../copy.ts';
import type { AgentKit } from '../kit.ts';
import type { ToolCall } from '../state.ts';
import type { Outcome } from './calls.ts';

export type SecretMarks = SecretOptions | false;

/** What replaces secrets in inputs before they are recorded. Without a key of the kit's, this host has one that nobody else knows. */
export function cleanerOf(marks: SecretMarks | undefined): <T extends Json>(value: T) => T {
  if (marks === false) return (value) => value;
  return createSecretReplacer(marks ?? { key: freshKey() });
}

function freshKey(): string {
  const ids = createIdSource({ clock: systemClock });
  return `${ids.next()} ${ids.next()} ${ids.next()}`;
}

type Resolving = { readonly call: ToolCall; readonly kit: AgentKit; readonly used: Map<string, string> };

/** `{ "$secret": "name" }` anywhere in the arguments becomes the secret; what is not in the kit is refused. */
export async function withSecrets(value: Json, resolving: Resolving): Promise<Json> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all((value as readonly Json[]).map((item) => withSecrets(item, resolving)));
  const entries = Object.entries(value as JsonObject);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === '$secret') return secretOf(only[1], resolving);
  return Object.fromEntries(
    await Promise.all(entries.map(async ([key, member]) => [key, await withSecrets(member, resolving)] as const)),
  );
}

async function secretOf(named: Json, { call, kit, used }: Resolving): Promise<string> {
  const name = typeof named === 'string' ? named : '';
  const resolve = Object.hasOwn(kit.secrets ?? {}, name) ? kit.secrets?.[name] : undefined;
  if (resolve === undefined) throw new Error('a secret of that name is not in the kit');
  const secret = await resolve({ tool: call.tool, labels: copyOf(call.labels) });
  if (secret !== '') used.set(secret, name);
  return secret;
}

/** A tool that repeats what it was given does not bring a secret into the record. */
export function withoutSecrets(outcome: Outcome, used: ReadonlyMap<string, string>): Outcome {
  const clean = (value: Json): Json => {
    if (typeof value === 'string')
      return [...used].reduce((text, [secret, name]) => text.replaceAll(secret, () => `[$secret ${name}]`), value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return (value as readonly Json[]).map(clean);
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([name, member]) => [clean(name) as string, clean(member)]),
    );
  };
  return used.size === 0 ? outcome : (clean(outcome as unknown as Json) as unknown as Outcome);
}
