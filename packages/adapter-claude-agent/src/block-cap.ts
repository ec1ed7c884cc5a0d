/** The client's own limit of refused ends of a turn, where the environment sets one: it overrides a hook that refuses more. */
export function blockCapOf(environment: Readonly<Record<string, string | undefined>>): number | undefined {
  const cap = Number.parseInt(environment['CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'] ?? '', 10);
  return Number.isSafeInteger(cap) && cap > 0 ? cap : undefined;
}
