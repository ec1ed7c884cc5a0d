/** `observe` only records; `ask` asks where it would refuse; `enforce` refuses. */
export type Mode = 'observe' | 'ask' | 'enforce';

/** From the mildest to the strictest. */
export const MODES: readonly Mode[] = ['observe', 'ask', 'enforce'];

export function isMode(value: unknown): value is Mode {
  return (MODES as readonly unknown[]).includes(value);
}

/** True where a mode refuses what another one, or nobody, would not. */
export function isStricter(mode: Mode, than: Mode | undefined): boolean {
  return than === undefined || MODES.indexOf(mode) > MODES.indexOf(than);
}
