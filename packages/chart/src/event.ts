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

/** An event descriptor, read once: all events, or those whose first tokens are the prefix. */
export type Descriptor = { readonly all: boolean; readonly prefix: string };

export function parseDescriptor(descriptor: string): Descriptor {
  if (descriptor === '*') return { all: true, prefix: '' };
  const prefix = descriptor.replace(/[.][*]?$/, '');
  return { all: false, prefix };
}

/** Whether the descriptor names the event, by whole tokens. */
export function namesEvent({ all, prefix }: Descriptor, name: string): boolean {
  return all || name === prefix || (name.startsWith(prefix) && name[prefix.length] === '.');
}

/** True when a descriptor (standard 3.12.1) names the event: by whole tokens, with `*` for all. */
export function matchesDescriptor(descriptor: string, name: string): boolean {
  return namesEvent(parseDescriptor(descriptor), name);
}
