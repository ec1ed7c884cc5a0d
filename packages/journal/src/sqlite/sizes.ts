/** How the entries of a subject are stored, by stream. @internal */
export const SUBJECT_ENTRIES = `SELECT s.name AS stream, sum(e.sealed IS NOT NULL AND e.segment IS NULL) AS sealed,
    sum(e.data IS NOT NULL) AS clear, sum(e.sealed IS NOT NULL AND e.segment IS NOT NULL) AS archived,
    sum(e.sealed IS NULL AND e.segment IS NOT NULL) AS archivedClear
  FROM journal_entries e JOIN journal_streams s ON s.key = e.stream
  WHERE e.subject = ? GROUP BY s.key ORDER BY s.name`;

/** Sizes of the streams after a name, up to a number of them. @internal */
export const STREAM_SIZES = `SELECT s.name AS stream, count(e.seq) AS entries, count(e.segment) AS archived,
    coalesce(sum(octet_length(coalesce(e.data, e.sealed, ''))), 0) AS bytes,
    coalesce(min(e.time), 0) AS first, coalesce(max(e.time), 0) AS last
  FROM (SELECT key, name FROM journal_streams WHERE name > ? ORDER BY name LIMIT ?) s
  LEFT JOIN journal_entries e ON e.stream = s.key GROUP BY s.key ORDER BY s.name`;
