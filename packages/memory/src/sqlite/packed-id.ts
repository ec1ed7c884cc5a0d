/** Before the text of an id that is no UUID. */
const PLAIN = '=';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id as a file holds it: the 16 bytes of a UUID, any other text as it is. UUIDs sort after other texts. */
export type PackedId = string | Uint8Array;

export function packId(id: string): PackedId {
  return UUID.test(id) ? Buffer.from(digitsOf(id), 'hex') : id;
}

function digitsOf(id: string): string {
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
}

export function unpackId(id: PackedId): string {
  if (typeof id === 'string') return id;
  return dashed((Buffer.isBuffer(id) ? id : Buffer.from(id.buffer, id.byteOffset, id.byteLength)).toString('hex'));
}

function dashed(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A column of packed ids as a text for `idOf`, since a text is handed over for a fifth of what bytes cost. */
export function idText(column: string): string {
  return `iif(typeof(${column}) = 'blob', lower(hex(${column})), '${PLAIN}' || ${column})`;
}

/** The id that a column of `idText` says. */
export function idOf(text: string): string {
  return text.startsWith(PLAIN) ? text.slice(PLAIN.length) : dashed(text);
}

/** Ids as two JSON lists, for `PACKED_IDS`. */
export function packedLists(ids: readonly string[]): readonly [uuids: string, others: string] {
  const uuids: string[] = [];
  const others: string[] = [];
  for (const id of ids)
    if (UUID.test(id)) uuids.push(digitsOf(id));
    else others.push(id);
  return [JSON.stringify(uuids), JSON.stringify(others)];
}

/** The packed ids of `packedLists`, as a part of a statement with two parameters. */
export const PACKED_IDS = 'SELECT unhex(value) FROM json_each(?) UNION ALL SELECT value FROM json_each(?)';
