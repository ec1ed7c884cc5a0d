import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVirtualClock, createVirtualTimer } from '@warrant/core';
import { createSqliteInbox, openSqlite } from '@warrant/core/sqlite';
import { describeInboxConformance, type InboxHarness } from './inbox.ts';

const open = async (): Promise<InboxHarness> => {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-inbox-'));
  const clock = createVirtualClock();
  const timer = createVirtualTimer();
  const files = [openSqlite(join(directory, 'a.db'), { synchronous: 'normal' })];
  const inbox = createSqliteInbox(files[0] as (typeof files)[0], { clock, timer });
  return {
    inbox,
    clock,
    advance: (milliseconds) => {
      clock.advance(milliseconds);
      timer.advance(milliseconds);
    },
    another: async () => {
      const file = openSqlite(join(directory, 'a.db'), { synchronous: 'normal' });
      files.push(file);
      return createSqliteInbox(file, { clock, timer });
    },
    dispose: async () => {
      for (const file of files) file.close();
      rmSync(directory, { recursive: true });
    },
  };
};

describeInboxConformance({ name: 'the inbox in SQLite', open });
