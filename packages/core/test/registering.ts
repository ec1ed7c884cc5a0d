import { createFileAgentRegistry } from '../src/files/registry.ts';

// usage: registering.mjs FILE COUNT NAME: registers shared keys and keys of its own, printing each once it is registered.
const [file, count, name] = process.argv.slice(2);
const registry = createFileAgentRegistry(file as string, { lockTimeoutMs: 60_000 });
for (let index = 0; index < Number(count); index += 1) {
  for (const key of [`shared-${index}`, `${name}-${index}`]) {
    const agent = await registry.register(key);
    console.log(`${agent.key} ${agent.id}`);
  }
}
