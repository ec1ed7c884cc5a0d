// Builds the packages and writes what each offers to others into packages/NAME/api, one report an entry point; `--check`
// only compares, with what is built. A package takes part once it has such a folder.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { fail, run } from './setup.mjs';

const root = resolve(import.meta.dirname, '../..');
const check = process.argv.includes('--check');
if (!check) build();
const silent = { default: { logLevel: 'none' } };

const entries = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((name) => entriesOf(join(root, folder, name))),
);
const configs = entries.map(configOf);
const compilerState = CompilerState.create(configs[0], {
  additionalEntryPoints: configs.map((config) => config.mainEntryPointFilePath),
});
const changed = configs.filter((config) => !isCurrent(config)).map((config) => relative(root, config.reportFilePath));
console.log(`${configs.length} reports, ${changed.length} ${check ? 'not as the packages are' : 'changed'}`);
for (const report of changed) console.log(`  ${report}`);
if (check && changed.length > 0) {
  console.error(
    'What packages offer has changed: `npm run api` writes the reports anew, and their diff belongs into the commit.',
  );
  process.exitCode = 1;
}

function build() {
  process.env.TURBO_TELEMETRY_DISABLED = '1';
  const built = run('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']);
  if (built.status !== 0) fail(`The build failed:\n${built.output}`);
}

/** The entry points that a package's manifest exports, each with its declarations. */
function entriesOf(folder) {
  if (!existsSync(join(folder, 'api'))) return [];
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target !== 'object' || target.types === undefined) return [];
    return [{ folder, name: path === '.' ? 'index' : path.slice(2).replaceAll('/', '-'), types: target.types }];
  });
}

function configOf({ folder, name, types }) {
  const temporary = join(tmpdir(), 'warrant-api', relative(root, folder));
  mkdirSync(temporary, { recursive: true });
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: resolve(folder, types),
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2023',
            module: 'nodenext',
            moduleResolution: 'nodenext',
            allowImportingTsExtensions: true,
            noEmit: true,
            skipLibCheck: true,
            strict: true,
            types: ['node'],
            typeRoots: [join(root, 'node_modules/@types')],
          },
          files: [resolve(folder, types)],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(folder, 'api'),
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
  });
}

function isCurrent(config) {
  const options = { compilerState, localBuild: !check, messageCallback: quieten };
  return !Extractor.invoke(config, options).apiReportChanged;
}

function quieten(message) {
  message.handled = message.logLevel !== 'error';
}
