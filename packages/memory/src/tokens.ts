/** How many tokens a text takes in a prompt; never below 1. */
export type TokenEstimator = (text: string) => number;

/** A token for every four characters, rounded down, at least one. */
export const estimateTokens: TokenEstimator = (text) => Math.max(1, Math.floor(text.length / 4));
