// Bundles the command into dist/bin, one chunk a command, so that a start loads only what its command needs.
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const output = join(root, 'dist/bin');
rmSync(output, { recursive: true, force: true });
await build({
  entryPoints: [join(root, 'src/bin/warrant.ts')],
  outdir: output,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['better-sqlite3', 'warrant/package.json'],
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
  minify: true,
  legalComments: 'linked',
  // Bundled CommonJS libraries ask for Node's own modules with require.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
chmodSync(join(output, 'warrant.js'), 0o755);
cpSync(resolve(root, '../../packages/graph/seeds'), join(root, 'dist/seeds'), { recursive: true });
