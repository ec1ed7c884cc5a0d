import { createMemoryGraphStore } from '@warrant/graph';
import { applyImport, loadSeeds, parseGraphDocuments, planImport, type SeedName } from '@warrant/graph/documents';
import { createGrounder } from '@warrant/grounding';
import {
  type ConceptMapping,
  defaultMapping,
  MAPPED_DOMAINS,
  mappingFor,
  type ProgramConcepts,
  shellConcepts,
  UNKNOWN_COMMAND,
} from '@warrant/shell';
import { describe, expect, it } from 'vitest';

async function grounderOf(...seeds: readonly SeedName[]) {
  const graph = createMemoryGraphStore();
  const parsed = parseGraphDocuments(loadSeeds(seeds));
  if (parsed.type === 'invalid') throw new Error('the seeds have faults');
  const plan = await planImport(graph, parsed.documents);
  if (plan.type === 'invalid') throw new Error('the seeds cannot be imported');
  await applyImport(graph, plan);
  return createGrounder({ graph });
}

const small = await grounderOf('shell', 'git');
const connected = await grounderOf('shell', 'git', 'network');
const whole = await grounderOf('shell', 'git', ...MAPPED_DOMAINS);

function variants(concepts: ProgramConcepts): readonly (readonly string[])[] {
  return 'reads' in concepts ? [concepts.reads, concepts.changes] : [concepts];
}

function conceptsOf({ programs, wrappers = {}, ...lists }: ConceptMapping): readonly string[] {
  const ofPrograms = Object.values(programs).flatMap(variants);
  return [...new Set([...Object.values(lists), ...Object.values(wrappers), ...ofPrograms].flat())].sort();
}

async function missingOf(grounder: typeof small, concepts: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const concept of concepts) if (!(await grounder.check({ concepts: [concept] })).grounded) missing.push(concept);
  return missing;
}

describe('the seeds and the mapping', () => {
  it('agree on every concept but two, which the network seed has', async () => {
    const concepts = [...conceptsOf(defaultMapping), UNKNOWN_COMMAND];
    expect(await missingOf(small, concepts)).toEqual(['network', 'remote_host', UNKNOWN_COMMAND]);
    expect(await missingOf(connected, concepts)).toEqual([UNKNOWN_COMMAND]);
  });

  it('agree on every concept of the domains', async () => {
    const domains = conceptsOf(mappingFor(MAPPED_DOMAINS));
    expect(domains.length).toBeGreaterThan(conceptsOf(defaultMapping).length + 40);
    expect(await missingOf(whole, domains)).toEqual([]);
  });

  it.each(MAPPED_DOMAINS)('need no other domain for %s', async (domain) => {
    const grounder = await grounderOf('shell', 'git', 'network', domain);
    expect(await missingOf(grounder, conceptsOf(mappingFor([domain])))).toEqual([]);
  });

  it('ground the concepts of one program together', async () => {
    const { always, programs } = mappingFor(MAPPED_DOMAINS);
    const missing: string[] = [];
    for (const [name, concepts] of Object.entries(programs)) {
      for (const one of variants(concepts))
        if (!(await whole.check({ concepts: [...always, ...one] })).grounded) missing.push(name);
    }
    expect(missing).toEqual([]);
  });

  it.each([
    'curl -s https://example.com/data.json | jq .name',
    'ssh web1 "rm -rf /srv/old"',
    'scp a.txt web1:/srv/',
    'rsync -a src/ web1:/srv/src/',
    'git fetch origin && git log --oneline | head',
  ])('ground %s once the network seed is there', async (line) => {
    expect((await connected.check({ concepts: shellConcepts()(line) })).grounded).toBe(true);
  });

  it.each([
    ['curl https://x.example', 'kubectl get pods', 'gh issue list'],
    ['curl -d a=1 https://x.example', 'kubectl delete pod x', 'gh issue create -t x'],
  ])('ground %s, %s and %s with the domains', async (...lines) => {
    const concepts = shellConcepts({ mapping: mappingFor(MAPPED_DOMAINS) });
    for (const line of lines) {
      expect((await whole.check({ concepts: concepts(line) })).grounded, line).toBe(true);
      expect((await small.check({ concepts: concepts(line) })).grounded, line).toBe(false);
    }
  });

  it.each(['terraform apply', 'aws s3 rm s3://b/k', 'curl -K file', 'ssh -F own web1 ls', 'mail -s x a@b.example'])(
    'never ground %s, which may run anything',
    async (line) => {
      const concepts = shellConcepts({ mapping: mappingFor(MAPPED_DOMAINS) })(line);
      expect(concepts).toContain(UNKNOWN_COMMAND);
      expect((await whole.check({ concepts })).grounded).toBe(false);
    },
  );
});
