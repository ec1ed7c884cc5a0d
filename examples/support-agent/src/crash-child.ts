// Runs the agent on a journal in a file and kills this process at the given point; without one, runs to the end.
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import { fileOutside } from './file-outside.ts';
import { withPoints } from './points.ts';
import { runSupport } from './run.ts';

const [folder = '', killAt = '0'] = process.argv.slice(2);
let points = 0;
const point = (): void => {
  points += 1;
  if (points === Number(killAt)) process.kill(process.pid, 'SIGKILL');
};
const file = openSqlite(`${folder}/journal.db`);
const journal = withPoints(createSqliteJournal(file), point);
const state = await runSupport(journal, fileOutside(`${folder}/outside.jsonl`, point));
console.log(JSON.stringify({ points, status: state.status, result: state.result, usage: state.usage }));
file.close();
