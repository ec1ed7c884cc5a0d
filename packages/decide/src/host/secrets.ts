import { createIdSource, createSecretReplacer, type Json, type SecretOptions, systemClock } from '@warrant/core';

export type SecretMarks = SecretOptions | false;

/** What replaces secrets in inputs before they are recorded. Without a key of the kit's, this host has one that nobody else knows. */
export function cleanerOf(marks: SecretMarks | undefined): <T extends Json>(value: T) => T {
  if (marks === false) return (value) => value;
  return createSecretReplacer(marks ?? { key: freshKey() });
}

function freshKey(): string {
  const ids = createIdSource({ clock: systemClock });
  return `${ids.next()} ${ids.next()} ${ids.next()}`;
}
