import type { Json } from '@warrant/core';

/** An event as charts see it (standard 5.10.1). */
export type ChartEvent = {
  readonly name: string;
  readonly type: 'platform' | 'internal' | 'external';
  readonly data: Json;
  readonly sendid?: string;
  readonly origin?: string;
  readonly origintype?: string;
  readonly invokeid?: string;
};

/** True when a descriptor (standard 3.12.1) names the event: by whole tokens, with `*` for all. */
export function matchesDescriptor(descriptor: string, name: string): boolean {
  if (descriptor === '*') return true;
  const prefix = descriptor.endsWith('.*')
    ? descriptor.slice(0, -2)
    : descriptor.endsWith('.')
      ? descriptor.slice(0, -1)
      : descriptor;
  return name === prefix || (name.startsWith(prefix) && name[prefix.length] === '.');
}
