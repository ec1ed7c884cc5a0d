// npx tsx --conditions=@warrant/source test/false-alarms.ts FOLDER: how often calls that only look would be asked about.
// FOLDER holds Claude Code transcripts (*.jsonl), what its console showed (*.md), and trajectories (*.traj, *.traj.json) of
// the sources that the labels name.
// The lines themselves are other people's and are not kept here: a label names one by its digest.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJudge } from '../src/replay/judge.ts';
import { loadKnowledge } from '../src/replay/knowledge.ts';

type Label = { readonly line: string; readonly source: string; readonly label: string };
type Call = { readonly tool: string; readonly arguments: { readonly [name: string]: string }; readonly label: string };

const LOOKS = new Set(['Read', 'Glob', 'Grep', 'LS']);

const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder of the transcripts');
const labels = new Map(
  readFileSync(new URL('false-alarms.labels.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Label)
    .map((label) => [label.line, label]),
);
const files = readdirSync(folder).filter((name) => /\.(?:jsonl|md|traj|traj\.json)$/.test(name));
const found = files.flatMap((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  return name.endsWith('.md') ? shownIn(text) : callsIn(text);
});
const knowledge = await loadKnowledge('/', {});
const judge = createJudge(knowledge);
const counts = new Map<string, { calls: number; stopped: number }>();
const stopped: string[] = [];
for (const [index, { tool, arguments: given, label }] of distinct(found).entries()) {
  const { verdict, why } = await judge({ type: 'call', id: String(index), tool, arguments: given, directory: '/repo' });
  const kind = tool === 'Bash' ? `Bash, ${label}` : LOOKS.has(tool) ? 'Read, Glob, Grep, LS' : 'other tools';
  const count = counts.get(kind) ?? { calls: 0, stopped: 0 };
  counts.set(kind, { calls: count.calls + 1, stopped: count.stopped + (verdict === 'allowed' ? 0 : 1) });
  if (verdict !== 'allowed' && label === 'read')
    stopped.push(`${(given['command'] ?? '').slice(0, 60)}: ${why.join('; ')}`);
}
await knowledge.close();
for (const [kind, { calls, stopped: count }] of [...counts].sort()) {
  console.log(`${kind.padEnd(24)} ${String(calls).padStart(5)} calls ${String(count).padStart(5)} asked or denied`);
}
const looks = ['Bash, read', 'Read, Glob, Grep, LS'].map((kind) => counts.get(kind) ?? { calls: 0, stopped: 0 });
const all = looks.reduce((sum, { calls }) => sum + calls, 0);
const asked = looks.reduce((sum, { stopped: count }) => sum + count, 0);
console.log(`read-only: ${asked} of ${all} asked, ${((100 * asked) / all).toFixed(1)} %`);
console.log(stopped.map((line) => `  ${line}`).join('\n'));

function callsIn(text: string): readonly Call[] {
  const values =
    text.trimStart().startsWith('{"') && text.includes('\n{') ? text.split('\n').map(parsed) : [parsed(text)];
  return values.flatMap(callsOf);
}

function callsOf(value: unknown): readonly Call[] {
  if (typeof value !== 'object' || value === null) return [];
  const { message, trajectory } = value as { message?: { content?: unknown }; trajectory?: { action?: unknown }[] };
  if (Array.isArray(trajectory)) {
    return trajectory.flatMap(({ action }) =>
      typeof action === 'string' ? labelled('Bash', { command: action.trim() }) : [],
    );
  }
  const content = Array.isArray(message?.content)
    ? (message.content as { type?: string; name?: string; input?: object }[])
    : [];
  return content.flatMap(({ type, name, input }) =>
    type === 'tool_use' && typeof name === 'string' ? labelled(name, input as Call['arguments']) : [],
  );
}

/** Command lines that the console showed whole: longer ones it breaks and cuts. */
function shownIn(text: string): readonly Call[] {
  const lines = text.matchAll(/^[ \t⏺●]*Bash\((.*)\)\s*$/gmu);
  return [...lines].flatMap(([, command = '']) => labelled('Bash', { command: command.trim() }));
}

/** Command lines that nobody labelled, those of a harness's own language, are left out. */
function labelled(tool: string, given: Call['arguments']): readonly Call[] {
  if (tool !== 'Bash') return [{ tool, arguments: given, label: 'tool' }];
  const label = labels.get(
    createHash('sha256')
      .update(given['command'] ?? '')
      .digest('hex')
      .slice(0, 16),
  );
  return label === undefined ? [] : [{ tool, arguments: given, label: label.label }];
}

function distinct(calls: readonly Call[]): readonly Call[] {
  return [...new Map(calls.map((call) => [JSON.stringify([call.tool, call.arguments]), call])).values()];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
