/** Codes of this package's errors. */
export const CLAUDE_ERRORS = ['CLAUDE_INPUT_INVALID', 'CLAUDE_OPTIONS_INVALID', 'CLAUDE_STATE_INVALID'] as const;
export type ClaudeErrorCode = (typeof CLAUDE_ERRORS)[number];
