import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteInbox, openSqlite } from '@warrant/core/sqlite';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import { runStory } from './story.ts';

const folder = mkdtempSync(join(tmpdir(), 'refund-agent-'));
const file = openSqlite(join(folder, 'refund.db'));
const { faults } = await runStory(createSqliteJournal(file), createSqliteInbox(file), (line) => console.log(line));
file.close();
rmSync(folder, { recursive: true });
for (const fault of faults) console.error(`not as it should be: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
