#!/usr/bin/env node
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { isoTime, isWarrantError, systemClock } from '@warrant/core';
import { openReview } from '../open.ts';
import { createReviewServer } from '../server.ts';

const USAGE = `warrant-mcp: an MCP server over standard input and output

Usage: warrant-mcp [--kb FOLDER] [-C FOLDER] [--as NAME]

  --kb FOLDER           a vouch knowledge base (default: a .vouch folder here or above, else the workspace)
  -C, --directory DIR   where to look (default: this folder)
  --as NAME             who proposes (default: VOUCH_AGENT, else the agent of the workspace)
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
      directory: { type: 'string', short: 'C' },
      as: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return void process.stdout.write(USAGE);
  const actor = [values.as, process.env['VOUCH_AGENT']].find((name) => name !== undefined && name !== '');
  const opened = await openReview({
    directory: resolve(values.directory ?? '.'),
    ...(values.kb !== undefined && { knowledgeBase: resolve(values.kb) }),
    ...(actor !== undefined && { actor }),
  });
  const server = createReviewServer(opened.gate, { actor: opened.actor, now: () => isoTime(systemClock) });
  server.onclose = () => void opened.close();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
  process.stdin.once('end', () => void server.close());
  await server.connect(new StdioServerTransport());
}
