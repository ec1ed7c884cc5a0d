import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVirtualClock, type VirtualClock } from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { known, store } from '../../test/graphs.ts';
import { createGrounder } from '../grounder.ts';
import { readTraces } from './read-traces.ts';
import { createTraceFiles, type TraceFilesOptions } from './trace-files.ts';

const DAY_MS = 86_400_000;
let directory: string;
let clock: VirtualClock;

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'traces-')), 'traces');
  clock = createVirtualClock('2026-01-31T12:00:00.000Z');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

async function checks(count: number, options: Partial<TraceFilesOptions> = {}): Promise<void> {
  const trace = createTraceFiles({ directory, clock, ...options });
  const graph = await store(createMemoryGraphStore(), [known('file', 1)]);
  const grounder = createGrounder({ graph, clock, trace, actor: 'robot' });
  for (let index = 0; index < count; index += 1) await grounder.check({ concepts: ['file', `ghost ${index}`] });
  await grounder.flush();
  await trace.close();
}

async function read(): Promise<readonly (readonly string[])[]> {
  const concepts: (readonly string[])[] = [];
  for await (const record of readTraces(directory)) concepts.push(record.concepts);
  return concepts;
}

describe('trace files', () => {
  it('hold one JSON line a check, in order, with actor, verdict and steps', async () => {
    await checks(3);
    expect(readdirSync(directory)).toEqual(['2026-01-31.jsonl']);
    const lines = readFileSync(join(directory, '2026-01-31.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines[0]).toMatchObject({
      actor: 'robot',
      operation: 'check',
      grounded: false,
      resolved: ['file', 'ghost 0'],
    });
    expect(await read()).toEqual([0, 1, 2].map((index) => ['file', `ghost ${index}`]));
  });

  it('are not written unless asked for', async () => {
    const graph = await store(createMemoryGraphStore(), [known('file', 1)]);
    await createGrounder({ graph }).check({ concepts: ['file'] });
    expect(existsSync(directory)).toBe(false);
  });

  it('rotate by size, go on where they stopped, and are read in the order of writing', async () => {
    await checks(25, { maxBytes: 700 });
    await checks(2, { maxBytes: 700 });
    const files = readdirSync(directory);
    expect(files.length).toBeGreaterThan(10);
    expect(await read()).toEqual([...Array(25).keys(), 0, 1].map((index) => ['file', `ghost ${index}`]));
  });

  it('begin a file a day and remove those that are too old, and no others', async () => {
    await checks(1);
    writeFileSync(join(directory, 'notes.txt'), 'mine');
    clock.advance(2 * DAY_MS);
    await checks(1, { maxAgeMs: 5 * DAY_MS });
    expect(readdirSync(directory)).toEqual(['2026-01-31.jsonl', '2026-02-02.jsonl', 'notes.txt']);
    clock.advance(4 * DAY_MS);
    await checks(1, { maxAgeMs: 5 * DAY_MS });
    expect(readdirSync(directory)).toEqual(['2026-02-02.jsonl', '2026-02-06.jsonl', 'notes.txt']);
    clock.advance(40 * DAY_MS);
    await checks(1, { maxAgeMs: 5 * DAY_MS });
    expect(readdirSync(directory)).toHaveLength(4);
    clock.advance(DAY_MS);
    await checks(1, { maxAgeMs: 5 * DAY_MS });
    expect(readdirSync(directory)).toEqual(['2026-03-18.jsonl', '2026-03-19.jsonl', 'notes.txt']);
  });

  it('survive a clock that leaps ahead, and one that goes back', async () => {
    await checks(1);
    clock.advance(DAY_MS);
    await checks(1);
    clock.advance(365 * DAY_MS);
    await checks(1);
    expect(readdirSync(directory)).toEqual(['2026-01-31.jsonl', '2026-02-01.jsonl', '2027-02-01.jsonl']);
    clock.advance(-365 * DAY_MS);
    await checks(1);
    clock.set(Date.parse('1970-01-01T00:00:00Z'));
    await checks(1);
    expect(readdirSync(directory)).toHaveLength(4);
    expect(await read()).toHaveLength(5);
    clock.set(Date.parse('+010021-01-01T00:00:00Z'));
    await checks(1);
    expect(readdirSync(directory)).toContain('+010021-01-01.jsonl');
    expect(await read()).toHaveLength(6);
  });

  it('are read past a line that a crash cut off, and when there are none', async () => {
    expect(await read()).toEqual([]);
    await checks(1);
    appendFileSync(join(directory, '2026-01-31.jsonl'), '{"operation":"check","conc');
    expect(await read()).toHaveLength(1);
    await checks(1);
    expect(await read()).toHaveLength(2);
  });

  it('are read past lines that are no traces', async () => {
    await checks(1);
    const file = join(directory, '2026-01-31.jsonl');
    const whole = JSON.parse(readFileSync(file, 'utf8').trim()) as { gaps: { remedy: object }[]; steps: object[] };
    const gap = { ...whole.gaps[0], type: 'depth', concept: 'file', current: 1, required: 3, missing: [2, 3] };
    const spoiled: readonly object[] = [
      { at: 5 },
      { at: 'today' },
      { actor: {} },
      { concepts: 'file' },
      { concepts: [5] },
      { minDepth: 9 },
      { grounded: 'yes' },
      { resolved: null },
      { gaps: null },
      { gaps: [null] },
      { gaps: [{ ...gap, type: 'other' }] },
      { gaps: [{ ...gap, concept: 5 }] },
      { gaps: [{ ...gap, current: '1' }] },
      { gaps: [{ ...gap, required: null }] },
      { gaps: [{ ...gap, missing: 2 }] },
      { gaps: [{ ...gap, remedy: null }] },
      { gaps: [{ ...gap, type: 'relational', source: 'file' }] },
      { steps: [{}] },
      { graph: null },
      { view: undefined },
    ];
    for (const part of spoiled) appendFileSync(file, `${JSON.stringify({ ...whole, ...part })}\n`);
    for (const line of ['5', 'null', '[]', '{}', '{"operation":"check"}']) appendFileSync(file, `${line}\n`);
    expect(await read()).toHaveLength(1);
    const relational = { ...gap, type: 'relational', source: 'file', target: 'path' };
    for (const one of [gap, relational]) appendFileSync(file, `${JSON.stringify({ ...whole, gaps: [one] })}\n`);
    expect(await read()).toHaveLength(3);
  });

  it('hold only what redaction leaves', async () => {
    await checks(1, { redact: (record) => JSON.parse(JSON.stringify(record).replaceAll('ghost', '[secret]')) });
    expect(readFileSync(join(directory, '2026-01-31.jsonl'), 'utf8')).not.toContain('ghost');
  });

  it('refuse limits that are not positive, and writes after close', async () => {
    for (const maxBytes of [0, Number.NaN, -1]) {
      expect(() => createTraceFiles({ directory, maxBytes })).toThrow(
        expect.objectContaining({ code: 'GROUNDING_TRACE_OPTIONS_INVALID' }),
      );
    }
    const trace = createTraceFiles({ directory });
    await trace.close();
    await expect(trace.write({} as never)).rejects.toMatchObject({ code: 'GROUNDING_TRACE_CLOSED' });
  });
});
