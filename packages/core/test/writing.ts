import { openSqlite } from '../src/sqlite/index.ts';

// usage: writing.mjs FILE NAME: migrates, then adds rows with their outbox entries for ever, printing each once it is durable.
const [path, name] = process.argv.slice(2);
const file = openSqlite(path as string, { busyTimeoutMs: 60_000 });
file.migrate('rows', [
  (db) => db.exec('CREATE TABLE row (id TEXT PRIMARY KEY) STRICT'),
  (db) => db.exec("INSERT INTO row VALUES ('first')"),
]);
console.log('ready');
for (let index = 0; ; index += 4) {
  const group = [0, 1, 2, 3].map((offset) =>
    file.writeSoon((db, outbox) => {
      const id = `${name}-${index + offset}`;
      db.run('INSERT INTO row VALUES (?)', id);
      outbox('rows', { id, type: 'row.added', data: null, schemaVersion: 1 });
      return id;
    }),
  );
  for (const id of await Promise.all(group)) console.log(id);
}
