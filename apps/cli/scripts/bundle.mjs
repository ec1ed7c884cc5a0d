// Bundles the command: its parts, which a start loads as it needs them, in one file, and beside it what starts them.
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build, transform } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const output = join(root, 'dist/bin');
const shared = { bundle: true, platform: 'node', target: 'node20', minify: true, write: false, logLevel: 'warning' };

// Named by what most runs need, and used by few: a part of its own, which none of the others brings along.
const review = {
  name: 'review',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/review\.[jt]s$/ }, ({ importer }) =>
      /\/workspace\/(?:dist|src)\/open\.[jt]s$/.test(importer) ? { path: './review.js', external: true } : undefined,
    ),
};

const split = await build({
  ...shared,
  entryPoints: [
    { in: join(root, 'src/bin/main.ts'), out: 'main' },
    { in: resolve(root, '../../packages/workspace/dist/review.js'), out: 'review' },
  ],
  plugins: [review],
  outdir: output,
  splitting: true,
  format: 'esm',
  metafile: true,
  external: ['warrant/package.json'],
  chunkNames: 'chunks/[name]-[hash]',
  define: { 'import.meta.url': '__moduleUrl', SQLITE_DRIVER_VERSION: JSON.stringify(sqliteVersion()) },
  // Parts are made shorter one by one, below; until then a name is one thing.
  minifyIdentifiers: false,
  legalComments: 'external',
});

// What these parts do when they run concerns nobody but those who use them: those of this repository, CommonJS modules,
// which run when they are required, and a parser that only defines. Others may lean on an order.
const ALONE = [/^(?!.*node_modules\/)/, /\/node_modules\/unbash\//];
const runsAlone = (name) => {
  const [, { inputs }] = Object.entries(split.metafile.outputs).find(([path]) => basename(path) === name);
  return Object.keys(inputs).every(
    (path) => split.metafile.inputs[path].format === 'cjs' || ALONE.some((pattern) => pattern.test(path)),
  );
};

const parts = [];
const index = {};
const licences = [];
let offset = 0;
for (const { path, text } of split.outputFiles) {
  if (path.endsWith('.LEGAL.txt')) {
    licences.push(text);
    continue;
  }
  const part = Buffer.from(await asFunction(text));
  index[basename(path)] = [offset, part.length];
  parts.push(part);
  offset += part.length;
}

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const pack = Buffer.concat(parts);
writeFileSync(join(output, 'warrant.pack'), pack);
writeFileSync(join(output, 'warrant.LEGAL.txt'), [...new Set(licences)].join('\n'));

const start = await build({
  ...shared,
  entryPoints: [join(root, 'src/start/start.ts')],
  outdir: output,
  format: 'cjs',
  // A Node that is too old has to understand as much as says so.
  target: 'node12',
  supported: { 'dynamic-import': true },
  define: {
    LEAST_NODE: JSON.stringify(leastNode()),
    PACK_INDEX: JSON.stringify(JSON.stringify(index)),
    PACK_MAIN: '"main.js"',
    PACK_ID: JSON.stringify(createHash('sha256').update(pack).digest('hex').slice(0, 16)),
  },
});
writeFileSync(join(output, 'warrant.cjs'), start.outputFiles[0].contents);
chmodSync(join(output, 'warrant.cjs'), 0o755);
cpSync(resolve(root, '../../packages/graph/seeds'), join(root, 'dist/seeds'), { recursive: true });

function leastNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return /\d+\.\d+/.exec(engines.node)[0];
}

function sqliteVersion() {
  return JSON.parse(readFileSync(join(root, 'node_modules/better-sqlite3/package.json'), 'utf8')).version;
}

/**
 * A part as a function of what it is given: `require` gives what another part exports and runs it with the first use,
 * `__load` runs it at once. `__import` imports what is no part.
 */
async function asFunction(code) {
  const asked = code
    .replaceAll(/\bimport\(("\.{1,2}\/[^"]+\.js")\)/g, (_, name) => `Promise.resolve().then(()=>__load(${name}))`)
    .replaceAll(/\bimport"(\.{1,2}\/[^"]+\.js)";/g, (_, name) =>
      runsAlone(basename(name)) ? '' : `__load("${name}");`,
    );
  const made = await transform(givingValues(asked), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
  });
  const body = made.code.replaceAll(/(?<=\bawait )import\(/g, '__import(');
  if (/\bimport\(["'`]/.test(body)) throw new Error('an import that is not awaited would fail in the program');
  return `(function(module,exports,require,__load,__moduleUrl,__import){${inAscii(body)}\n})`;
}

/**
 * What a part exports as values that are set when it has run: ways to look at them later cost every start more than all
 * else that it does.
 * @throws where an exported value changes afterwards
 */
function givingValues(code) {
  return code.replace(/(?<=^|[;}\n])export\{([^}]*)\};?\s*$/, (_, pairs) =>
    pairs
      .split(',')
      .map((pair) => pair.split(' as '))
      .map(([local, name = local]) => {
        if (isSetAgain(code, local)) throw new Error(`${local} is exported and changes`);
        return `exports.${name}=${local};`;
      })
      .join(''),
  );
}

function isSetAgain(code, name) {
  const escaped = name.replaceAll('$', '\\$');
  const set = `(?<![\\w$.])${escaped}(?:[-+*/%&|^]|\\*\\*|<<|>>>?|&&|\\|\\||\\?\\?)?=(?![=>])`;
  const counted = `(?<=[;{}(,=])(?:\\+\\+|--)${escaped}\\b|(?<![\\w$.])${escaped}(?:\\+\\+|--)`;
  return [...code.matchAll(new RegExp(set, 'g'))].length > 1 || new RegExp(counted).test(code);
}

/** Other signs are left in regular expressions alone, and would make the whole program twice as long in memory. */
function inAscii(code) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ASCII begins with
  if (/\\[^\x00-\x7f]|\braw`[^`]*[^\x00-\x7f]/.test(code))
    throw new Error('a sign beyond ASCII that cannot be escaped');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
  return code.replaceAll(/[^\x00-\x7f]/g, escaped);
}
