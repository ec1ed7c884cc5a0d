import { formatFault } from '@warrant/core/documents';
import { expect, test } from 'vitest';
import { BUILT_IN_PROFILES, profileFor, rankingWeightsOf } from '../config/profiles.ts';
import { weightFaults } from '../ranking.ts';
import { loadConfig } from './load-config.ts';
import { parseConfig } from './profile-file.ts';

const parsed = (text: string) => {
  const result = parseConfig({ file: 'memory.yaml', text });
  if (result.type !== 'ok') throw new Error(result.faults.map(formatFault).join('\n'));
  return result.config;
};

test('a profile of one’s own extends another, over as many steps as it takes', () => {
  const config = parsed(`
profile:
  name: nightly
  lifecycle: { staleness_days: 10 }
  agents:
    scout: { retrieval: { retrieve_limit: 7 } }
    archive: { name: full_storage }
profiles:
  nightly: { extends: careful, injection: { context_token_limit: 4000 } }
  careful: { extends: research, retrieval: { ranker_weights: { provenance: 0.35, recency: 0.25 } } }
`);
  expect(config.profile).toMatchObject({
    name: 'nightly',
    lifecycle: { stalenessDays: 10, archivalThreshold: 0.05 },
    retrieval: { retrieveLimit: 50, rankerWeights: { provenance: 0.35, recency: 0.25 } },
    injection: { contextTokenLimit: 4000 },
    capture: { conversationJsonl: false, autoPersistResponse: true },
    isolateByAgent: false,
  });
  expect(profileFor(config, 'scout')).toMatchObject({
    name: 'nightly',
    isolateByAgent: true,
    retrieval: { retrieveLimit: 7 },
  });
  expect(profileFor(config, 'archive')).toMatchObject({ name: 'full_storage', lifecycle: { stalenessDays: 3650 } });
  expect(profileFor(config, 'toString')).toBe(config.profile);
});

test.each([
  ['profile:\n  name: reserch\n', '2:9', "did you mean 'research'?"],
  ['profile: {}\n', '1:10', "'name' is missing"],
  ['profile:\n  name: research\n  lifecycle:\n    stalenes_days: 3\n', '4:5', "did you mean 'staleness_days'?"],
  ['profile:\n  name: research\n  lifecycle:\n    staleness_days: -1\n', '4:21', ''],
  ['profile:\n  name: research\n  retrieval:\n    retrieve_limit: 0\n', '4:21', ''],
  [
    'profile:\n  name: research\n  retrieval:\n    ranker_weights: { provenance: 0.9 }\n',
    '4:21',
    'the weights sum to 1.65',
  ],
  ['profile:\n  name: research\n  agents:\n    bot: { agents: {} }\n', '4:12', "unknown key 'agents'"],
  ['profile:\n  name: a\nprofiles:\n  a: { extends: b }\n  b: { extends: a }\n', '4:6', 'extends itself'],
  ['profile:\n  name: a\nprofiles:\n  a: { extends: nowhere }\n', '4:17', 'there is no profile'],
  ['profile:\n  name: research\nprofiles:\n  research: {}\n', '4:13', 'built in'],
  ['profile:\n  name: research\nmode: x\n', '3:1', "unknown key 'mode'"],
])('names the place of what is wrong in %j', (text, place, message) => {
  const result = parseConfig({ file: 'memory.yaml', text });
  const faults = result.type === 'faulty' ? result.faults.map(formatFault) : [];
  expect(faults[0]).toContain(`memory.yaml:${place}`);
  expect(faults[0]).toContain(message);
});

test('a file that is not there configures nothing', () => {
  expect(() => loadConfig('/nowhere/memory.yaml')).toThrow(expect.objectContaining({ code: 'MEMORY_INVALID_CONFIG' }));
});

test('whatever a profile weighs, relevance keeps its share', () => {
  for (const { retrieval } of Object.values(BUILT_IN_PROFILES))
    expect(weightFaults(rankingWeightsOf(retrieval.rankerWeights))).toEqual([]);
  const only = { provenance: 0, recency: 0, confidence: 0, causal: 0, semantic: 1, workspace: 0 };
  expect(weightFaults(rankingWeightsOf(only))).toEqual([]);
  expect(rankingWeightsOf({ ...only, semantic: 0, provenance: 1 })).toMatchObject({
    trust: expect.closeTo(0.2, 10),
    recency: 0,
  });
});
