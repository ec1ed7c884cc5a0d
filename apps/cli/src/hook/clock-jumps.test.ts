import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openWorkspace } from '@warrant/workspace';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Conversation, project, ran, readResult, type Told } from '../../test/claude-client.ts';

const HOUR = 3_600_000;
const YEAR = 365.25 * 24 * HOUR;

let folder: string;
let shifted: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'warrant-clock-'));
  shifted = join(folder, 'shifted.cjs');
  writeFileSync(
    shifted,
    `const Real = Date;
     const now = () => Real.now() + Number(process.env.SHIFT_MS);
     globalThis.Date = class extends Real {
       constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
       static now() { return now(); }
     };`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A hook in a process of its own, on a machine whose clock is off by this much. */
function hookAt(shiftMs: number, directory: string, input: object): Promise<Told> {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const loader = join(root, 'node_modules/tsx/dist/loader.mjs');
  const bin = join(root, 'apps/cli/src/bin/warrant.ts');
  const words = ['--import', loader, '--conditions=@warrant/source', bin, 'hook', 'claude-code', '--mode', 'enforce'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--require', shifted, ...words], {
      env: { ...process.env, CLAUDE_PROJECT_DIR: directory, SHIFT_MS: String(shiftMs) },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(out) as Told) : reject(new Error(`ended with ${code}: ${out}`)),
    );
    child.stdin.end(JSON.stringify(input));
  });
}

test('processes whose clocks are years apart, forward and back, keep order, obligations and record', async () => {
  const directory = await project();
  let shiftMs = 0;
  const talking = new Conversation((input) => hookAt(shiftMs, directory, input), directory);
  const at = <T>(shift: number, work: () => Promise<T>): Promise<T> => {
    shiftMs = shift;
    return work();
  };
  const edit = { file_path: 'app.cfg', old_string: 'timeout=5', new_string: 'timeout=30' };
  expect(await at(10 * YEAR, () => talking.before('Edit', edit, 'one'))).toEqual({});
  await at(-72 * HOUR, () => talking.after('Edit', edit, {}, 'one'));
  expect(await at(-60 * YEAR, () => talking.stop('I set the timeout to 30.'))).toMatchObject({ decision: 'block' });
  const read = { file_path: 'app.cfg' };
  await at(HOUR, () => talking.before('Read', read, 'two'));
  await at(-YEAR, () => talking.after('Read', read, readResult('app.cfg', 'timeout=30\n'), 'two'));
  expect(await at(-2 * YEAR, () => talking.stop('I set the timeout to 30.'))).toEqual({});

  const workspace = await openWorkspace({ directory, readOnly: true });
  const types: string[] = [];
  for await (const { type } of workspace.journal.read('claude')) types.push(type);
  await workspace.close();
  expect(types.filter((type) => /^(?:guard\.verdict|gate\.(?:started|observed)|claude\.stop)$/.test(type))).toEqual([
    ...['guard.verdict', 'gate.started', 'gate.observed', 'claude.stop'],
    ...['guard.verdict', 'gate.started', 'gate.observed', 'claude.stop'],
  ]);
  expect(await ran(directory, ['journal', 'verify'])).toContain('intact');
});
