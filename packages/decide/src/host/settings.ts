import { type IdSource, WarrantError } from '@warrant/core';
import type { AgentHostOptions } from './host-types.ts';

const MAX_NAME = 200;

/** Name and numbers of a host. @throws DECIDE_OPTIONS for what is out of its range */
export function settingsOf(options: AgentHostOptions, ids: IdSource) {
  const { host = ids.next(), leaseMs = 60_000, snapshotEvery = 500, maxActive = 1000 } = options;
  if (!(leaseMs > 0 && snapshotEvery >= 1 && maxActive >= 1))
    throw new WarrantError('DECIDE_OPTIONS', 'leaseMs, snapshotEvery and maxActive are greater than 0');
  if (host === '' || Buffer.byteLength(host) > MAX_NAME)
    throw new WarrantError('DECIDE_OPTIONS', `a host is named by 1 to ${MAX_NAME} bytes`);
  return { host, leaseMs, snapshotEvery, maxActive };
}
