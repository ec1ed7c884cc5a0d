#!/usr/bin/env node
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { isWarrantError } from '@warrant/core';
import { openServed } from '../open-served.ts';
import { createToolServer } from '../tools.ts';

const USAGE = `warrant-mcp: an MCP server over standard input and output

Usage: warrant-mcp [--kb FOLDER] [--memory FOLDER] [-C FOLDER] [--as NAME]

  --kb FOLDER           a vouch knowledge base (default: a .vouch folder here or above, else the workspace)
  --memory FOLDER       offers the memory in this folder too; alone where there is nothing to review
  -C, --directory DIR   where to look (default: this folder)
  --as NAME             who proposes and remembers (default: VOUCH_AGENT, else the agent of the workspace)
`;

try {
  await main();
} catch (error) {
  // Standard output belongs to the protocol.
  const code = isWarrantError(error) ? ` (${error.code})` : '';
  process.stderr.write(`warrant-mcp: ${error instanceof Error ? error.message : String(error)}${code}\n`);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kb: { type: 'string' },
      memory: { type: 'string' },
      directory: { type: 'string', short: 'C' },
      as: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return void process.stdout.write(USAGE);
  const actor = [values.as, process.env['VOUCH_AGENT']].find((name) => name !== undefined && name !== '');
  const opened = await openServed({
    directory: resolve(values.directory ?? '.'),
    ...(values.kb !== undefined && { knowledgeBase: resolve(values.kb) }),
    ...(values.memory !== undefined && { memory: resolve(values.memory) }),
    ...(actor !== undefined && { actor }),
  });
  const server = createToolServer(opened.sets);
  server.onclose = () => void opened.close();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
  process.stdin.once('end', () => void server.close());
  await server.connect(new StdioServerTransport());
}
