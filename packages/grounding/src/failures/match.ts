import type { FailureCatalogue, FailureEntry, FailureSigns } from './catalogue.ts';
import type { FailureFacts } from './facts.ts';

/** The first entry whose signs are all there; undefined for what no entry knows. */
export function matchFailure(facts: FailureFacts, tool: string, catalogue: FailureCatalogue): FailureEntry | undefined {
  if (!facts.failed) return undefined;
  return catalogue.find(({ when }) => fits(when, facts, tool));
}

function fits(when: FailureSigns, facts: FailureFacts, tool: string): boolean {
  const { errno, exitCode, http, sqlstate, exception, says, tool: tools } = when;
  return (
    isOneOf(errno, facts.errno) &&
    isOneOf(exitCode, facts.exitCode === null ? [] : [facts.exitCode]) &&
    isOneOf(http, facts.http === null ? [] : [facts.http]) &&
    isOneOf(sqlstate, facts.sqlstate) &&
    isOneOf(exception, facts.exceptions) &&
    (says === undefined || says.some((pattern) => isSaid(pattern, facts.text))) &&
    (tools === undefined || tools.some((pattern) => isNamed(pattern, tool)))
  );
}

function isOneOf<Value>(wanted: readonly Value[] | undefined, found: readonly Value[]): boolean {
  return wanted === undefined || found.some((value) => wanted.includes(value));
}

function isNamed(pattern: string, tool: string): boolean {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}

/** Parts of a pattern one after another on one line; no backtracking, whatever the text. */
export function isSaid(pattern: string, text: string): boolean {
  const parts = partsOf(pattern);
  if (parts.length === 0) return false;
  if (parts.length === 1) return text.includes(parts[0] as string);
  return text.split('\n').some((line) => {
    let from = 0;
    for (const part of parts) {
      const at = line.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return true;
  });
}

/** The literal parts between the stars, in small letters. */
export function partsOf(pattern: string): readonly string[] {
  return pattern
    .toLowerCase()
    .split('*')
    .filter((part) => part !== '');
}
