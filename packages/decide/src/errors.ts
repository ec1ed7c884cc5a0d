/** Every code that this package throws, with what it means and whether the same call may succeed later. */
export const DECIDE_ERRORS = {
  DECIDE_UNKNOWN_DECIDER: { when: 'a chart names a decider that is not bound', retryable: false },
  DECIDE_UNKNOWN_CHART: { when: 'a run goes by a chart that this host was not given', retryable: false },
  DECIDE_UNKNOWN_ACTOR: { when: 'no run of this actor is in the journal', retryable: false },
  DECIDE_ACTOR_EXISTS: { when: 'the actor runs another chart or was started with other input', retryable: false },
  DECIDE_ACTOR_NAME: { when: 'the actor is not named by an absolute IRI', retryable: false },
  DECIDE_INPUT: { when: 'an input is no JSON or has no name', retryable: false },
  DECIDE_JOURNAL_DAMAGED: { when: 'an entry in an agent stream is not what a host writes', retryable: false },
  DECIDE_CONTENDED: { when: 'other hosts took every turn for too long', retryable: true },
  DECIDE_CLOSED: { when: 'the host was closed', retryable: false },
  DECIDE_TYPE: { when: 'a type cannot be read, or no compiler of schemas was given', retryable: false },
  DECIDE_POSITION: { when: 'a fork asks for a position that the run does not have', retryable: false },
  DECIDE_OPTIONS: { when: 'an option is out of its range', retryable: false },
  DECIDE_TOOL: { when: 'a tool is named by no absolute IRI, or its schemas are none', retryable: false },
} as const;

export type DecideErrorCode = keyof typeof DECIDE_ERRORS;
