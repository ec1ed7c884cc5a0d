import { mkdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Disk, poweredOps } from '../../test/disk.ts';
import { Killed } from '../../test/fault-ops.ts';
import { emptyBase, snapshot } from '../../test/folders.ts';
import { open, POLICY, scenarios } from '../../test/scenarios.ts';

const DRAWS = process.env['WARRANT_SOAK'] === undefined ? 8 : 400;

/** The base's files as a disk; the folder itself stays for the lock, which is not on it. */
function diskOf(root: string): Disk {
  const disk = new Map<string, Buffer | null>([[root, null]]);
  for (const name of ['proposed', 'decided', 'claims', 'pages', 'entities', 'relations', 'sources']) {
    disk.set(join(root, name), null);
  }
  for (const [path, text] of Object.entries(snapshot(root))) disk.set(join(root, path), Buffer.from(text));
  return disk;
}

/** A fixed sequence of numbers for each draw. */
function picker(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

function unlock(root: string): void {
  try {
    unlinkSync(join(root, 'proposed/.warrant/lock'));
  } catch {
    // It was not held when the power went.
  }
}

// Event ids are random, leftovers of replacements are nobody's, and what is not there has no folder of ours.
function comparable(disk: Disk): Readonly<Record<string, string>> {
  const files = [...disk].filter(
    ([path, bytes]) => bytes !== null && !path.includes('.warrant') && !path.endsWith('.new'),
  );
  return Object.fromEntries(
    files
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([path, bytes]) => [path, String(bytes).replace(/"(?:id|hash|prev_hash)":"[0-9a-f]+",?/g, '')]),
  );
}

describe.each(scenarios)('a loss of power while a folder is changed: $name', (scenario) => {
  it('leaves all or nothing, whatever the disk kept, and all once it was acknowledged', async () => {
    const base = emptyBase(POLICY);
    mkdirSync(join(base.root, 'proposed/.warrant'));
    const preparing = poweredOps(diskOf(base.root), 0);
    await scenario.prepare(open(base.root, preparing).gate);
    // Before the change everything lasts.
    const before = preparing.current();
    const counting = poweredOps(before, 0);
    const working = open(base.root, counting).gate;
    const opened = counting.count();
    await scenario.act(working);
    const after = comparable(counting.current());
    for (let at = opened + 1; at <= counting.count() + 1; at += 1) {
      for (let draw = 1; draw <= DRAWS; draw += 1) {
        const ops = poweredOps(before, at);
        const { gate } = open(base.root, ops);
        const acknowledged = await scenario.act(gate).then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof Killed)) throw error;
            return false;
          },
        );
        unlock(base.root);
        const left = poweredOps(ops.remains(picker(at * 1000 + draw)), 0);
        const restarted = open(base.root, left);
        await restarted.gate.recover();
        const found = comparable(left.current());
        const isUndone = !acknowledged && JSON.stringify(found) === JSON.stringify(comparable(before));
        expect(found, `change ${at}, draw ${draw}`).toEqual(isUndone ? comparable(before) : after);
        expect(await restarted.verify()).toMatchObject({ ok: true });
      }
    }
    base.remove();
  });
});
