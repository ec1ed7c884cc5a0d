/** The arrows of the architecture: core <- every layer; chart <- decide; layers <- workspace, adapters <- apps. */
const composers = '^packages/(workspace|adapter-[^/]+)/';

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'layers-depend-only-on-core',
      severity: 'error',
      from: {
        path: '^packages/([^/]+)/src/',
        pathNot: ['^packages/core/', '^packages/decide/', composers, '[.]test[.]ts$'],
      },
      to: { path: '^(packages|apps)/', pathNot: ['^packages/core/', '^packages/$1/'] },
    },
    {
      name: 'decide-stands-on-chart',
      severity: 'error',
      from: { path: '^packages/decide/src/', pathNot: '[.]test[.]ts$' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/(core|chart|decide)/' },
    },
    {
      name: 'composers-depend-on-no-app',
      severity: 'error',
      from: { path: composers },
      to: { path: '^apps/' },
    },
    {
      name: 'core-depends-on-no-layer',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: '[.]test[.]ts$' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/core/' },
    },
    {
      name: 'drivers-only-below-subpaths',
      severity: 'error',
      comment: 'A root holds types and pure code.',
      from: {
        path: '^packages/[^/]+/src/[^/]+[.]ts$',
        pathNot: [composers, '[.]test[.]ts$', '^packages/conformance/'],
      },
      to: { path: 'node_modules/(zod|kysely|better-sqlite3|@marcbachmann|@bufbuild|neo4j-driver|pg|ajv)' },
    },
    {
      name: 'one-opener-of-database-files',
      severity: 'error',
      from: { path: '^packages/', pathNot: ['^packages/core/src/sqlite/', '[.]test[.]ts$'] },
      to: { path: 'node_modules/better-sqlite3', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-cel-adapter',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: ['^packages/core/src/cel/'] },
      to: { path: 'node_modules/@marcbachmann' },
    },
    {
      name: 'no-undeclared',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src/', pathNot: '[.]test(-d)?[.]ts$' },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: ['^packages/', 'node_modules/(commander|esbuild)/', '@types/'],
      },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@warrant/source', 'import', 'types', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
