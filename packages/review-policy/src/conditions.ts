/** A compiled expression; it answers with an error instead of throwing. */
export type Expression = (variables: {
  readonly [name: string]: unknown;
}) => { readonly type: 'value'; readonly value: boolean } | { readonly type: 'error'; readonly message: string };

/** A condition of an extension, part of a rule's `when`. */
export type Condition =
  | { readonly type: 'actor-group'; readonly groups: readonly string[]; readonly members: ReadonlySet<string> }
  | { readonly type: 'actor-not-in-group'; readonly groups: readonly string[]; readonly members: ReadonlySet<string> }
  | { readonly type: 'actor-pattern'; readonly patterns: readonly ActorPattern[] }
  | { readonly type: 'actor-not-pattern'; readonly patterns: readonly ActorPattern[] }
  | { readonly type: 'quota'; readonly key: string; readonly limit: number; readonly windowMs: number }
  | { readonly type: 'quota-exceeded'; readonly key: string; readonly limit: number; readonly windowMs: number }
  | { readonly type: 'window'; readonly key: string; readonly windows: readonly TimeWindow[] }
  | { readonly type: 'cel'; readonly key: string; readonly source: string; readonly expression: Expression | null }
  | { readonly type: 'similar'; readonly key: string; readonly value: boolean };

/** `ci-*` is `{ prefix: 'ci-' }`; a pattern without star names one actor. */
export type ActorPattern = { readonly prefix: string; readonly exact: boolean };

/** Minutes since midnight UTC, `from` included, `to` not; `to` below `from` reaches over midnight. */
export type TimeWindow = {
  readonly days: readonly number[] | null;
  readonly from: number;
  readonly to: number;
};

/** Holds, fails, or cannot be known (an expression failed, a value that it needs was not given). */
export type Truth = 'held' | 'failed' | 'unknown';

/** What the caller knows beside the proposal; conditions that need what is missing are unknown. */
export type ConditionContext = {
  /** ISO-8601 UTC. */
  readonly now?: string;
  /** Proposals of this proposer within the window that ends now, by window length in milliseconds. */
  readonly filed?: { readonly [windowMs: string]: number };
  /** True when an artifact or pending proposal like this one exists already. */
  readonly similar?: boolean;
};

/** What is known beside policy and proposal. A decision depends on these three alone. */
export type EvaluationContext = ConditionContext & {
  /** Ids that evidence may name; without it every non-blank id counts. */
  readonly knownIds?: { has(id: string): boolean };
  /** Decide, but let nothing happen. @default false */
  readonly dryRun?: boolean;
};

/** Decides one condition for one proposal. */
export function holds(
  condition: Condition,
  proposal: { readonly kind: string; readonly proposedBy: string; readonly payload: object },
  context: ConditionContext,
): Truth {
  switch (condition.type) {
    case 'actor-group':
      return truth(condition.members.has(proposal.proposedBy));
    case 'actor-not-in-group':
      return truth(!condition.members.has(proposal.proposedBy));
    case 'actor-pattern':
      return truth(matchesPattern(condition.patterns, proposal.proposedBy));
    case 'actor-not-pattern':
      return truth(!matchesPattern(condition.patterns, proposal.proposedBy));
    case 'quota':
    case 'quota-exceeded': {
      const count = context.filed?.[String(condition.windowMs)];
      if (count === undefined) return 'unknown';
      return truth(condition.type === 'quota' ? count < condition.limit : count >= condition.limit);
    }
    case 'window':
      return inWindow(condition.windows, context.now);
    case 'cel':
      return evaluateExpression(condition.expression, proposal, context);
    case 'similar':
      return context.similar === undefined ? 'unknown' : truth(context.similar === condition.value);
  }
}

/** True when a pattern of the list takes the actor. */
export function matchesPattern(patterns: readonly ActorPattern[], actor: string): boolean {
  return patterns.some((pattern) => (pattern.exact ? actor === pattern.prefix : actor.startsWith(pattern.prefix)));
}

function truth(value: boolean): Truth {
  return value ? 'held' : 'failed';
}

function inWindow(windows: readonly TimeWindow[], now: string | undefined): Truth {
  const time = now === undefined ? Number.NaN : Date.parse(now);
  if (Number.isNaN(time)) return 'unknown';
  const minutes = Math.floor(time / 60_000);
  const minute = minutes % 1440;
  // 1970-01-01 was a Thursday; 0 is Sunday.
  const day = (Math.floor(minutes / 1440) + 4) % 7;
  return truth(windows.some((window) => covers(window, day, minute)));
}

function covers(window: TimeWindow, day: number, minute: number): boolean {
  const isDay = (value: number): boolean => window.days === null || window.days.includes(value);
  if (window.from < window.to) return isDay(day) && minute >= window.from && minute < window.to;
  // The part after midnight belongs to the window of the day before.
  return (isDay(day) && minute >= window.from) || (isDay((day + 6) % 7) && minute < window.to);
}

function evaluateExpression(
  expression: Expression | null,
  proposal: { readonly kind: string; readonly proposedBy: string; readonly payload: object },
  context: ConditionContext,
): Truth {
  if (expression === null) return 'unknown';
  const result = expression({
    proposal: { kind: proposal.kind, proposed_by: proposal.proposedBy, payload: proposal.payload },
    now: context.now ?? '',
  });
  return result.type === 'error' ? 'unknown' : truth(result.value);
}
