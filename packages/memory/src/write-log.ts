import type { Entry, JsonObject, MemoryConflict, MemoryRecord, Trust } from '@warrant/core';
import type { Actor } from './actor.ts';
import { auditEntry } from './audit.ts';
import type { AccessVerdict } from './permissions.ts';
import type { Setup } from './setup.ts';

/** What the writes of one audit entry have in common. */
type Common = { readonly access: AccessVerdict; readonly trust: Trust; readonly subject: string | null };
type Stored = {
  readonly record: MemoryRecord;
  readonly current: boolean;
  readonly closed: readonly string[];
  readonly conflicts: readonly MemoryConflict[];
};
type Gathering = Common & { readonly id: string; readonly stored: Stored[] };

/** Most records that one entry names. */
const MOST = 1000;

/**
 * Audit of the writes of one transaction. Records that the same rule let in, about the same subject, share an entry:
 * eraser and reader find it by its subject and by the id that each record carries.
 */
export class WriteLog {
  readonly #setup: Setup;
  readonly #actor: Actor;
  readonly #gatherings = new Map<string, Gathering>();
  readonly #entries: (Entry | Gathering)[] = [];
  /** Asked for twice a record: for its entry's id, and when it is stored. */
  #last: { readonly common: Common; readonly gathering: Gathering } | undefined;

  constructor(setup: Setup, actor: Actor) {
    this.#setup = setup;
    this.#actor = actor;
  }

  /** The id of the entry that will name a record, if it is stored. */
  entryFor(common: Common): string {
    return this.#gathering(common).id;
  }

  /** A record that was stored under the id that `entryFor` gave last for the same. */
  add(common: Common, stored: Stored): void {
    this.#gathering(common).stored.push(stored);
  }

  /** Something else that became of a write. */
  note(type: 'memory.confirmed' | 'memory.refused', data: JsonObject, subject: string | null = null): void {
    this.#entries.push(auditEntry(this.#setup.ids, this.#actor, type, data, subject));
  }

  entries(): readonly Entry[] {
    return this.#entries.flatMap((one) => {
      if (!('stored' in one)) return [one];
      if (one.stored.length === 0) return [];
      const data = one.stored.length === 1 ? single(one) : several(one);
      return [{ ...auditEntry(this.#setup.ids, this.#actor, 'memory.written', data, one.subject), id: one.id }];
    });
  }

  #gathering(common: Common): Gathering {
    if (this.#last?.common === common) return this.#last.gathering;
    const gathering = this.#openGathering(common);
    this.#last = { common, gathering };
    return gathering;
  }

  #openGathering(common: Common): Gathering {
    const name = `${common.access.rule}\n${common.trust}\n${common.subject}`;
    const open = this.#gatherings.get(name);
    if (open !== undefined && open.stored.length < MOST) return open;
    const { access, trust, subject } = common;
    const begun = { access, trust, subject, id: this.#setup.ids.next(), stored: [] };
    this.#gatherings.set(name, begun);
    this.#entries.push(begun);
    return begun;
  }
}

function single({ access, stored }: Gathering): JsonObject {
  const [{ record, current, closed, conflicts }] = stored as [Stored];
  return {
    key: record.key,
    ...shared(access, record),
    record: record.id,
    ...(current ? {} : { current }),
    ...(closed.length === 0 ? {} : { closed }),
    ...(conflicts.length === 0 ? {} : { conflicts: conflicts.map(({ id, type }) => ({ id, type })) }),
  };
}

function several({ access, stored }: Gathering): JsonObject {
  const closed = stored.flatMap((one) => one.closed);
  const conflicts = stored.flatMap((one) => one.conflicts);
  const beside = stored.filter(({ current }) => !current);
  return {
    ...shared(access, (stored[0] as Stored).record),
    records: stored.map(({ record }) => [record.id, record.key]),
    ...(beside.length === 0 ? {} : { beside: beside.map(({ record }) => record.id) }),
    ...(closed.length === 0 ? {} : { closed }),
    ...(conflicts.length === 0 ? {} : { conflicts: conflicts.map(({ id, type }) => ({ id, type })) }),
  };
}

function shared({ rule, permissions }: AccessVerdict, { origin, label }: MemoryRecord): JsonObject {
  return { rule, permissions, origin, trust: label.trust };
}
