import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFileAgentRegistry, withFileLock, writeFileAtomic } from '../src/files/index.ts';
import { createMemoryAgentRegistry, createVirtualClock } from '../src/index.ts';
import { bundleChild, startChild } from './children.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'warrant-files-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));
const code = (expected: string): object => expect.objectContaining({ code: expected });

describe('writeFileAtomic', () => {
  it('replaces the content, keeps the mode, leaves nothing else', async () => {
    const file = join(directory, 'a.txt');
    await writeFileAtomic(file, 'one', { mode: 0o600 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o666);
    await writeFileAtomic(file, new TextEncoder().encode('two'));
    expect(readFileSync(file, 'utf8')).toBe('two');
    expect(statSync(file).mode & 0o777).toBe(0o666);
    expect(readdirSync(directory)).toEqual(['a.txt']);
  });

  it('writes through a symbolic link', async () => {
    writeFileSync(join(directory, 'real'), 'one');
    symlinkSync(join(directory, 'real'), join(directory, 'link'));
    await writeFileAtomic(join(directory, 'link'), 'two');
    expect(lstatSync(join(directory, 'link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(directory, 'real'), 'utf8')).toBe('two');
  });

  it('fails with a code where the folder is missing or the target is a folder, and leaves nothing', async () => {
    await expect(writeFileAtomic(join(directory, 'no/a'), 'x')).rejects.toMatchObject({
      code: 'FILE_IO',
      data: { system: 'ENOENT' },
    });
    mkdirSync(join(directory, 'folder'));
    await expect(writeFileAtomic(join(directory, 'folder'), 'x')).rejects.toMatchObject({ code: 'FILE_IO' });
    expect(readdirSync(directory)).toEqual(['folder']);
  });
});

describe('withFileLock', () => {
  let counting: string;
  beforeAll(async () => {
    counting = await bundleChild('counting');
  });
  const writeHolder = (lock: string, holder: object): void => {
    mkdirSync(lock, { recursive: true });
    writeFileSync(join(lock, '000000000007'), JSON.stringify(holder));
  };

  it('lets one work after the other, in one process and among several', async () => {
    const [lock, file] = [join(directory, 'lock'), join(directory, 'number')];
    writeFileSync(file, '0');
    const children = Array.from({ length: 4 }, () => startChild(counting, [lock, file, '25']));
    await Promise.all(
      Array.from({ length: 10 }, () =>
        withFileLock(
          lock,
          async () => {
            const value = Number(readFileSync(file, 'utf8'));
            await new Promise((resolve) => setTimeout(resolve, 1));
            writeFileSync(file, String(value + 1));
          },
          { timeoutMs: 60_000 },
        ),
      ),
    );
    expect(await Promise.all(children.map((child) => child.ended))).toEqual([0, 0, 0, 0]);
    expect(readFileSync(file, 'utf8')).toBe('110');
    expect(readdirSync(lock)).toHaveLength(1);
  });

  it('takes over from processes killed while they held it', async () => {
    const [lock, file] = [join(directory, 'lock'), join(directory, 'number')];
    writeFileSync(file, '0');
    let acknowledged = 0;
    for (let round = 0; round < (soak ? 100 : 8); round += 1) {
      const child = startChild(counting, [lock, file, '100000']);
      while (child.lines().length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 13));
      child.process.kill('SIGKILL');
      await child.ended;
      acknowledged += child.lines().length;
      const value = await withFileLock(lock, async () => Number(readFileSync(file, 'utf8')));
      expect(value).toBeGreaterThanOrEqual(acknowledged);
      acknowledged = value;
    }
    expect(readdirSync(lock)).toEqual([expect.stringMatching(/^\d+$/)]);
  });

  it('takes over from a process whose number is in use again', async () => {
    const lock = join(directory, 'lock');
    writeHolder(lock, { pid: process.pid, host: hostname(), started: 'another boot/1', token: 'x' });
    expect(await withFileLock(lock, async () => 'mine')).toBe('mine');
  });

  it('waits for living holders, here and on other hosts, no longer than told', async () => {
    const lock = join(directory, 'lock');
    writeHolder(lock, { pid: process.ppid, host: hostname(), started: null, token: 'x' });
    await expect(withFileLock(lock, async () => 'mine', { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'FILE_LOCK_TIMEOUT',
      retryable: true,
      data: { pid: process.ppid },
    });
    writeHolder(lock, { pid: 999_999_999, host: `${hostname()}-other`, started: null, token: 'x' });
    await expect(withFileLock(lock, async () => 'mine', { timeoutMs: 0 })).rejects.toThrow(code('FILE_LOCK_TIMEOUT'));
    let time = 0;
    const backwards = { now: () => (time -= 86_400_000) };
    const bounded = withFileLock(lock, async () => 'mine', { timeoutMs: 30, clock: backwards });
    await expect(bounded).rejects.toThrow(code('FILE_LOCK_TIMEOUT'));
    const stop = new AbortController();
    const waiting = withFileLock(lock, async () => 'mine', { signal: stop.signal });
    const reason = new Error('enough');
    setTimeout(() => stop.abort(reason), 20);
    await expect(waiting).rejects.toBe(reason);
  });

  it('is free again after work that failed, and after a torn file', async () => {
    const lock = join(directory, 'lock');
    await expect(withFileLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withFileLock(lock, async () => 1, { timeoutMs: 0 })).toBe(1);
    const [name] = readdirSync(lock);
    writeFileSync(join(lock, name as string), '{"pid":');
    expect(await withFileLock(lock, async () => 2, { timeoutMs: 0 })).toBe(2);
  });
});

describe('the agent registry in a file', () => {
  let registering: string;
  beforeAll(async () => {
    registering = await bundleChild('registering');
  });
  const idsOf = (lines: readonly string[]): ReadonlyMap<string, string> =>
    new Map(lines.map((line) => line.split(' ') as [string, string]));

  it('gives one id per key to twenty processes that register at once', async () => {
    const file = join(directory, 'deep/agents.json');
    const children = Array.from({ length: 20 }, (_, index) => startChild(registering, [file, '3', `own-${index}`]));
    expect(await Promise.all(children.map((child) => child.ended))).toEqual(Array(20).fill(0));
    const agents = await createFileAgentRegistry(file).list();
    expect(agents).toHaveLength(3 + 20 * 3);
    expect(new Set(agents.map((agent) => agent.id)).size).toBe(agents.length);
    const stored = new Map(agents.map((agent) => [agent.key, agent.id]));
    for (const child of children) {
      expect(child.lines()).toHaveLength(6);
      for (const [key, id] of idsOf(child.lines())) expect(stored.get(key)).toBe(id);
    }
  });

  it('loses nothing that was registered when processes are killed at any moment', async () => {
    const file = join(directory, 'agents.json');
    const known = new Map<string, string>();
    for (let round = 0; round < (soak ? 200 : 10); round += 1) {
      const children = [0, 1].map((index) => startChild(registering, [file, '1000', `own-${round}-${index}`]));
      while (children.every((child) => child.lines().length === 0))
        await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 31));
      for (const child of children) child.process.kill('SIGKILL');
      await Promise.all(children.map((child) => child.ended));
      for (const child of children) for (const [key, id] of idsOf(child.lines())) known.set(key, known.get(key) ?? id);
      const registry = createFileAgentRegistry(file);
      const stored = new Map((await registry.list()).map((agent) => [agent.key, agent.id]));
      for (const [key, id] of known) expect(stored.get(key), key).toBe(id);
      await registry.register(`after-${round}`);
    }
    expect(known.size).toBeGreaterThan(0);
    expect(readdirSync(directory).sort()).toEqual(['agents.json', 'agents.json.lock']);
  });

  it.each([
    ['{"format": "warrant.agents/1",\n "agents": [}', { line: 2, column: 13 }],
    ['', { line: 1, column: 1 }],
    ['[]', { pointer: '/format' }],
    ['{"format": "warrant.agents/2", "agents": []}', { pointer: '/format' }],
    ['{"format": "warrant.agents/1"}', { pointer: '/agents' }],
    ['{"format": "warrant.agents/1", "agents": [{"key": "a", "registeredAt": "x"}]}', { pointer: '/agents/0/id' }],
    ['{"format": "warrant.agents/1", "agents": [null]}', { pointer: '/agents/0/key' }],
    [
      '{"format": "warrant.agents/1", "agents": [{"key": "a", "id": "1", "registeredAt": "x"}, {"key": "b", "id": "1", "registeredAt": "x"}]}',
      { pointer: '/agents/1', repeated: 'id' },
    ],
  ])('names the place where %j is damaged, and leaves it alone', async (text, place) => {
    const file = join(directory, 'agents.json');
    writeFileSync(file, text);
    const registry = createFileAgentRegistry(file);
    await expect(registry.register('agent:a')).rejects.toMatchObject({
      code: 'AGENTS_FILE_CORRUPT',
      data: { path: file, ...place },
    });
    await expect(registry.list()).rejects.toThrow(code('AGENTS_FILE_CORRUPT'));
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

describe.each(['file', 'memory'])('the agent registry in %s', (kind) => {
  it('makes an agent once and refuses keys that are no text of one line', async () => {
    const clock = createVirtualClock();
    const registry =
      kind === 'file'
        ? createFileAgentRegistry(join(directory, 'a.json'), { clock })
        : createMemoryAgentRegistry({ clock });
    const agent = await registry.register('agent:a');
    clock.advance(1000);
    expect(await registry.register('agent:a')).toEqual(agent);
    expect(await registry.find('agent:a')).toEqual(agent);
    expect(await registry.find('__proto__')).toBeUndefined();
    const other = await registry.register('__proto__');
    expect(await registry.list()).toEqual([agent, other]);
    expect(agent).toMatchObject({ key: 'agent:a', registeredAt: '2026-01-01T00:00:00.000Z' });
    for (const key of ['', 'a\nb', '\uD800', 'x'.repeat(513)]) {
      await expect(registry.register(key)).rejects.toThrow(code('AGENT_KEY_INVALID'));
    }
    await expect(registry.register('agent:b', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
  });
});
