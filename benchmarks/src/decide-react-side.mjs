// One side of the agents' benchmark in a process of its own: told how many runs to make, it tells what each took. Plain JavaScript, so that nothing is measured but the packages.
import { pathToFileURL } from 'node:url';
import { openSqlite } from '@warrant/core/sqlite';
import { createScriptedProvider } from '@warrant/decide';
import { agentFromTools } from '@warrant/decide/react';
import { createSqliteJournal } from '@warrant/journal/sqlite';

const [path, peer] = process.argv.slice(2);
const side = peer === undefined ? openOurs(path) : (await import(pathToFileURL(peer).href)).openReactAgent(path);
let made = 0;

process.on('message', async (runs) => {
  const taken = [];
  for (let index = 0; index < runs; index += 1) {
    made += 1;
    const [start, before] = [performance.now(), process.cpuUsage()];
    await side.run(`run-${made}`);
    const { user, system } = process.cpuUsage(before);
    taken.push({ wall: performance.now() - start, cpu: (user + system) / 1000 });
  }
  process.send({ taken, commits: side.commits() / made });
});
process.on('disconnect', () => side.close());

/** Made once, as the peer's graph is compiled once. */
function openOurs(at) {
  const file = openSqlite(at);
  const journal = createSqliteJournal(file);
  const model = createScriptedProvider([]);
  const agent = agentFromTools({ tools: { look: async () => ({ found: true }) }, model });
  let commits = 0;
  return {
    run: async (name) => {
      model.push(
        { content: { event: 'call.look', payload: { id: 1 } } },
        { content: { event: 'finish', payload: 'done' } },
      );
      const before = file.dataVersion();
      const { type } = await agent.run('find it', { journal, actor: `urn:bench:${name}` });
      if (type !== 'finished') throw new Error(`the run ${type}`);
      commits += file.dataVersion() - before;
    },
    commits: () => commits,
    close: () => file.close(),
  };
}
