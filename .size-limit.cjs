// Bytes of each package's root as a program would load it: its own code and core's, optional peers left out.
const budgets = {
  core: '24 kB',
  graph: '20 kB',
  grounding: '18 kB',
  peers: '24 kB',
  policy: '24 kB',
  'submit-gate': '40 kB',
  shell: '90 kB',
  'review-policy': '60 kB',
  journal: '24 kB',
  chart: '18 kB',
  memory: '40 kB',
  decide: '53 kB',
  'adapter-claude-agent': '126 kB',
};

module.exports = Object.entries(budgets).map(([name, limit]) => ({
  name: `@warrant/${name}`,
  path: `packages/${name}/dist/index.js`,
  limit,
  modifyEsbuildConfig: (config) => ({ ...config, platform: 'node' }),
}));
