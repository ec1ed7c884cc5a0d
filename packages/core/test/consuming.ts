import { digest } from '../src/index.ts';
import { createSqliteInbox, openSqlite } from '../src/sqlite/index.ts';

// usage: consuming.mjs FILE COUNT NAME: tries to use each of so many answers, printing those it got.
const [path, count, name] = process.argv.slice(2);
const inbox = createSqliteInbox(openSqlite(path as string, { busyTimeoutMs: 60_000 }));
for (let index = 0; index < Number(count); index += 1) {
  for (const attempt of [1, 2]) {
    const result = await inbox.consume(digest({ index }), { by: `${name}-${index}` });
    if (result.type === 'consumed') console.log(`${index} ${attempt}`);
  }
}
