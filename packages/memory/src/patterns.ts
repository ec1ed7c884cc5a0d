/**
 * Whether a permission pattern covers a key. Ending in `/` it is a subtree; `*` stands for any part of one segment;
 * anything else is the key itself. A lone `*` segment at the end of a subtree pattern is not special.
 */
export function matchesPattern(pattern: string, key: string): boolean {
  if (!pattern.endsWith('/')) return segmentsMatch(pattern.split('/'), key.split('/'), true);
  return segmentsMatch(pattern.slice(0, -1).split('/'), key.split('/'), false);
}

/** The longest prefix that every key covered by the pattern begins with. */
export function literalPrefix(pattern: string): string {
  const star = pattern.indexOf('*');
  return star === -1 ? pattern : pattern.slice(0, star);
}

function segmentsMatch(patterns: readonly string[], segments: readonly string[], whole: boolean): boolean {
  if (whole ? patterns.length !== segments.length : patterns.length >= segments.length) return false;
  return patterns.every((pattern, index) => segmentMatches(pattern, segments[index] as string));
}

/** Linear in the segment, whatever the number of stars. */
function segmentMatches(pattern: string, segment: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (parts.length === 1) return pattern === segment;
  if (!segment.startsWith(first) || !segment.endsWith(last) || segment.length < first.length + last.length)
    return false;
  let at = first.length;
  const end = segment.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = segment.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
