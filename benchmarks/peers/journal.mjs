// The peers of the journal's benchmark, opened on files with the same durability as ours.
import { getSQLiteEventStore, sqliteConnection } from '@event-driven-io/emmett-sqlite';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';

/** emmett-sqlite over one shared connection. `append` takes the expected version and gives the next one. */
export async function openEmmett(path) {
  // Its first connection changes the journal mode without waiting for the answer, so the file is made ready before.
  const ready = new Database(path);
  ready.pragma('journal_mode = WAL');
  ready.exec('CREATE TABLE ready (one INTEGER)');
  ready.close();
  const connection = sqliteConnection({ fileName: path });
  await connection.command('PRAGMA synchronous = FULL');
  const store = getSQLiteEventStore({ fileName: path, connectionOptions: { singleton: true, connection } });
  return {
    append: async (version, events) => {
      const expectedStreamVersion = version === 0n ? 'STREAM_DOES_NOT_EXIST' : version;
      return (await store.appendToStream('agent-1', events, { expectedStreamVersion })).nextExpectedStreamVersion;
    },
  };
}

/** LangGraph's SQLite checkpointer. `put` stores one step of a thread behind its last one. */
export function openLangGraph(path) {
  const database = new Database(path);
  const saver = new SqliteSaver(database);
  saver.setup();
  database.pragma('synchronous = FULL');
  const parents = new Map();
  let step = 0;
  return {
    put: async (thread, data) => {
      step += 1;
      const parent = parents.get(thread);
      const configurable = {
        thread_id: thread,
        checkpoint_ns: '',
        ...(parent === undefined ? {} : { checkpoint_id: parent }),
      };
      const checkpoint = { ...emptyCheckpoint(), id: uuid6(step), channel_values: { data } };
      const stored = await saver.put({ configurable }, checkpoint, { source: 'loop', step, parents: {} });
      parents.set(thread, stored.configurable.checkpoint_id);
    },
    close: () => database.close(),
  };
}
