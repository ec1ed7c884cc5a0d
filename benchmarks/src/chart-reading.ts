import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { compileChart } from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';
import { readScxml } from '@warrant/chart/scxml';
import { median, type Result } from './benchmark.ts';
import type { Xstate } from './chart-peers.ts';

const STATES = 1000;
const COLD = 'read, check and compile 1,000 states of SCXML in a new process, its modules loaded';

/** Reading, checking and compiling a large chart, against making the same machine of a value that is there already. */
export function reading(xstate: Xstate | undefined): readonly Result[] {
  return [warm(xstate), cold()];
}

/** Two transitions a state; every tenth state has a condition. */
export function largeScxml(): Uint8Array {
  const states = Array.from({ length: STATES }, (_, at) => {
    const cond = at % 10 === 0 ? ' cond="ctx.n &lt; 10"' : '';
    return `  <state id="s${at}">
    <transition event="go" target="s${(at + 1) % STATES}"${cond}/>
    <transition event="back" target="s0"/>
  </state>`;
  });
  return new TextEncoder().encode(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="cel">
  <datamodel><data id="n" expr="1"/></datamodel>
${states.join('\n')}
</scxml>`);
}

function largeMachine(): object {
  const guard = ({ context }: { context: { n: number } }) => context.n < 10;
  const states = Array.from({ length: STATES }, (_, at) => {
    const target = `s${(at + 1) % STATES}`;
    return [`s${at}`, { on: { go: at % 10 === 0 ? { target, guard } : target, back: 's0' } }];
  });
  return { context: { n: 1 }, initial: 's0', states: Object.fromEntries(states) };
}

function warm(xstate: Xstate | undefined): Result {
  const bytes = largeScxml();
  const dataModel = celDataModel();
  const machine = largeMachine();
  const times: { readonly ours: number[]; readonly theirs: number[] } = { ours: [], theirs: [] };
  // In blocks, so that neither side pays for much of the other's garbage.
  for (let round = 0; round < 10; round += 1) {
    const ours = block(() => void compileChart(readScxml(bytes), { dataModel }));
    const theirs = block(() => void xstate?.createMachine(machine));
    if (round < 3) continue;
    times.ours.push(...ours);
    times.theirs.push(...theirs);
  }
  const ours = median(times.ours);
  const theirs = xstate === undefined ? null : median(times.theirs);
  return {
    name: 'read, check and compile 1,000 states of SCXML, warm',
    unit: 'ms',
    ours,
    against: xstate === undefined ? 'xstate 5 is not installed' : 'xstate 5 createMachine',
    theirs,
    ratio: theirs === null ? null : theirs / ours,
    goal: 'at most 2x its time',
    reached: theirs !== null && ours <= 2 * theirs,
  };
}

/** The times of ten runs after each other, in milliseconds. */
function block(work: () => void): readonly number[] {
  return Array.from({ length: 10 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}

type Cold = { readonly elapsed: number; readonly ran: number };

/** What a first read costs, the middle of nine new processes, without the loading of modules; a machine that is busy elsewhere proves nothing. */
function cold(): Result {
  const file = resolve(import.meta.dirname, 'chart-reading-cold.ts');
  // Further certificates are read at each start of Node, beside what is measured.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const runs = Array.from({ length: 9 }, (): Cold => {
    const options = { env, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, file], options);
    if (status !== 0) throw new Error(`the cold read gave no time: ${stderr}`);
    return JSON.parse(stdout) as Cold;
  });
  const ours = median(runs.map(({ elapsed }) => elapsed));
  const ran = median(runs.map((run) => run.ran));
  // Beside other work a thread waits for its turn: its own time tells what it would have taken.
  const isContended = ours > 1.25 * ran && ran < 150;
  return {
    name: `${COLD} (its thread ran ${ran.toFixed(0)} ms)`,
    unit: 'ms',
    ours,
    against: 'a fixed limit',
    theirs: null,
    ratio: 150 / ours,
    goal: 'under 150 ms',
    reached: ours < 150 || (isContended ? 'contended' : false),
  };
}
