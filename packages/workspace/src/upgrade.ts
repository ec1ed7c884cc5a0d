import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, isoTime } from '@warrant/core';
import type { OpenedSqlite } from '@warrant/core/sqlite';

/** The file, with a copy put aside before the first layer that is there already is brought to a newer form. */
export function withCopyBeforeUpgrade(file: OpenedSqlite, backups: string, clock: Clock): OpenedSqlite {
  let copied = file.readOnly;
  const keepCopy = (): void => {
    if (copied) return;
    mkdirSync(backups, { recursive: true });
    file.copyTo(freeName(backups, `before-upgrade-${isoTime(clock).replaceAll(/[:.]/g, '-')}`));
    copied = true;
  };
  return {
    ...file,
    migrate: (layer, steps) => {
      const present = file.layers()[layer];
      if (present !== undefined && present < steps.length) keepCopy();
      file.migrate(layer, steps);
    },
  };
}

/** Clocks stand still and go back: an earlier copy is never written over, nor does it stop an upgrade. */
function freeName(folder: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.db`);
    if (!existsSync(path)) return path;
  }
}
