import { type CallReading, readCall } from '@warrant/adapter-claude-agent';
import { type Edge, foldName, type Gap, type GroundingResult, type Reason } from '@warrant/core';
import { gapText } from '@warrant/grounding';
import { evaluatePolicies } from '@warrant/policy';
import { describeUnknown, UNKNOWN_COMMAND, type Unknown } from '@warrant/shell';
import type { TraceEvent } from '@warrant/submit-gate';
import type { Knowledge } from './knowledge.ts';

export type CallEvent = TraceEvent & { readonly type: 'call' };
export type CallVerdict = {
  readonly verdict: 'allowed' | 'would-ask' | 'would-block' | 'ungrounded';
  readonly concepts: readonly string[];
  readonly gaps: readonly Gap[];
  /** Why, in words; empty where it is allowed. */
  readonly why: readonly string[];
  /** The call may change something. */
  readonly changes: boolean;
  /** What applies to what among its concepts, by name: policies sit on these edges. */
  readonly edges: readonly Pick<Edge, 'source' | 'sourceDepth' | 'target'>[];
};

/** Holds calls against what is known, one after the other. */
export function createJudge(knowledge: Knowledge): (event: CallEvent) => Promise<CallVerdict> {
  return async (event) => {
    const { shell, tools, words } = knowledge;
    const line = event.arguments['command'];
    const mapping = typeof line === 'string' ? { mapping: await words(line) } : {};
    const reading = readCall(event, { shell, ...tools, ...mapping });
    const changes = mayChange(reading);
    if (reading.concepts.length === 0)
      return { verdict: 'allowed', concepts: [], gaps: [], why: [], changes, edges: [] };
    return judge(knowledge, event, reading);
  };
}

function edgesAmong({ pathway, primitives }: GroundingResult, concepts: readonly string[]): CallVerdict['edges'] {
  const wanted = new Set(concepts.map(foldName));
  const names = new Map(primitives.map(({ id, name }) => [id, name]));
  return pathway.flatMap(({ relation, source: from, sourceDepth, target: to }) => {
    const [source, target] = [names.get(from), names.get(to)];
    if (relation !== 'applies-to' || source === undefined || target === undefined) return [];
    return wanted.has(foldName(source)) && wanted.has(foldName(target)) ? [{ source, sourceDepth, target }] : [];
  });
}

function mayChange({ effects, effect }: CallReading): boolean {
  return effect !== 'internal' && effects.class !== 'read';
}

const DECISIONS = { allow: 'allowed', confirm: 'would-ask', block: 'would-block', ungrounded: 'ungrounded' } as const;

async function judge(knowledge: Knowledge, event: CallEvent, reading: CallReading): Promise<CallVerdict> {
  const { minDepth, grounder, policies } = knowledge;
  const { concepts, cardinality, effects } = reading;
  const grounding = await grounder.check({ concepts, ...(minDepth === undefined ? {} : { minDepth }) });
  const { id, tool, directory } = event;
  const call = { id, tool, arguments: event.arguments, ...(directory === undefined ? {} : { directory }) };
  const { decision, reasons } = await evaluatePolicies({
    grounding,
    policies,
    call,
    cardinality,
    effects,
    dormant: 'refuse',
  });
  const verdict = DECISIONS[decision];
  const why =
    verdict === 'ungrounded' ? grounding.gaps.flatMap((gap) => gapTexts(gap, reading)) : reasons.map(reasonText);
  return {
    verdict,
    concepts,
    gaps: grounding.gaps,
    why: verdict === 'allowed' ? [] : why,
    changes: mayChange(reading),
    edges: edgesAmong(grounding, concepts),
  };
}

/** What nobody can know about a command line is said by its own reasons. */
function gapTexts(gap: Gap, { analysis }: CallReading): readonly string[] {
  const unknown = gap.type === 'existence' && gap.concept === UNKNOWN_COMMAND ? (analysis?.unknowns ?? []) : [];
  return unknown.length === 0 ? [gapText(gap)] : [...new Set(unknown.map(unknownText))];
}

function unknownText({ code, word }: Unknown): string {
  return word === null
    ? describeUnknown(code)
    : `'${word.replace(/\s+/g, ' ').slice(0, 60)}': ${describeUnknown(code)}`;
}

function reasonText({ message, data }: Reason): string {
  const policy = data['policy'];
  return typeof policy === 'string' ? `${policy}: ${message}` : message;
}
