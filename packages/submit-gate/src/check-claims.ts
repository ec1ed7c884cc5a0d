import { sentences } from './claims.ts';
import type { ResolvedConfig } from './config-types.ts';
import { mapperSignal } from './signals/mappers.ts';
import type { Claim } from './types.ts';

const LONGEST = 20_000;
const WORDS =
  '(?:[\\s:]+(?!(?:not|never|no|fail\\w*|if|when|once|until|unless|before|but|should|will|would|could|may|might|must|needs?|make|sure|verify|ensure|see|check|whether)\\b)[^\\s:;,]{1,60}){0,6}?[\\s:]+';
/** What is passed on by something is no verdict: `the test passes a path to the loader`. */
const HELD = '(?!\\s+(?:an?|the|its|it|them|through|along|in|[\\w"\'`.]+ (?:to|into|as))\\b)';

type Kind = { readonly signal: string; readonly patterns: readonly RegExp[] };

function kind(signal: string, subject: string, more: readonly RegExp[]): Kind {
  const verdict = '(?:no|zero|0|without(?: any)?) (?:errors|warnings|problems|issues|failures)';
  const passes = `(?:pass(?:es|ed|ing)?${HELD}|green|clean|succeed(?:s|ed)?|${verdict})\\b`;
  return { signal, patterns: [new RegExp(`\\b(?:${subject})[\`*_"')]*${WORDS}${passes}`, 'i'), ...more] };
}

const KINDS: readonly Kind[] = [
  kind('tests_passed', 'tests?|test[- ]?suites?|suite|specs|pytest|vitest|jest', [
    /\b(?:passing|green) (?:\w+ )?tests\b/i,
    /\b(?:no|zero|0) (?:failing tests|test failures|tests? (?:fail|failed|failing))\b/i,
  ]),
  kind('types_passed', 'type[- ]?check(?:s|ing|er)?|tsc|mypy|pyright|go vet|cargo check', [
    /\b(?:it|code|project|everything|this|all) (?:now )?type[- ]?checks\b/i,
  ]),
  kind('lint_passed', 'lint(?:er|ing|s)?|eslint|ruff|biome|clippy|flake8|oxlint|pylint|golangci-lint', []),
];
const MENTIONED =
  /test|suite|spec|jest|type.?check|tsc|mypy|pyright|\bgo vet|cargo check|lint|ruff|biome|clippy|flake8/i;
/** In front of it: denied, wished for, planned, or told by somebody else. */
const NOT_SAID =
  /\b(?:not|never|cannot|should|would|will|could|can|may|might|must|need(?:s|ed)?|until|unless|if|once|when|whether|before|so that|previously|used to|says?|said|states?|claims?|according to|to (?:make|get|let|have|see|check|verify|ensure))\b|n['’]t\b/i;
const SOME_FAIL = /\b[1-9]\d* (?:\w+ )?fail/i;
const EARLIER = /^\s+(?:before|earlier|yesterday|previously|last)\b/i;

/** The signals of checks that a text says have passed, by fixed rules for English. */
export function claimedSignals(text: string): readonly string[] {
  if (!MENTIONED.test(text)) return [];
  const head = text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}` : text;
  const clauses = sentences(head).flatMap((sentence) =>
    /\?["')*_]*$/.test(sentence) || SOME_FAIL.test(sentence) ? [] : sentence.split(/[;,—]| but | however /i),
  );
  return KINDS.filter(({ patterns }) =>
    clauses.some((clause) => patterns.some((pattern) => says(clause, pattern))),
  ).map((item) => item.signal);
}

function says(clause: string, pattern: RegExp): boolean {
  const found = pattern.exec(clause);
  if (found === null) return false;
  return !NOT_SAID.test(clause.slice(0, found.index)) && !EARLIER.test(clause.slice(found.index + found[0].length));
}

const NONE: readonly string[] = Object.freeze([]);

/** Those that a positive claim says have passed, where this gate can know of them. */
export function claimedChecks(config: ResolvedConfig, claim: Claim): readonly string[] {
  const { text } = claim;
  if (text === undefined || claim.stance === 'negative' || config.settings.claimedSignals === 'ignore') return NONE;
  // Reading a text costs more than all else that a submit does.
  if (!MENTIONED.test(text) || !KINDS.some((item) => isKnown(config, item.signal))) return NONE;
  return claimedSignals(text).filter((signal) => isKnown(config, signal));
}

function isKnown(config: ResolvedConfig, signal: string): boolean {
  if (config.goals.includes(signal) || config.commands.some((rule) => rule.signal === signal)) return true;
  return Object.values(config.tools).some(
    (tool) => tool.signals?.some((name) => mapperSignal(name) === signal) === true,
  );
}
