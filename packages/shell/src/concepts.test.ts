import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  analyzeCommand,
  cardinalityFor,
  conceptsFor,
  defaultMapping,
  type MappedDomain,
  mappingFor,
  shellCardinality,
  shellConcepts,
  UNKNOWN_COMMAND,
} from './index.ts';

describe('concepts of a line', () => {
  it.each<[string, readonly string[]]>([
    ['ls src', ['command', 'directory', 'file', 'list', 'read', 'run']],
    ['rm -rf x', ['command', 'delete', 'file', 'run']],
    ['echo hi', ['command', 'run']],
    ['mv a b', ['command', 'delete', 'file', 'move', 'read', 'run', 'write']],
    ['chmod 600 a', ['command', 'file', 'modify', 'permission', 'run', 'write']],
    ['git push', ['command', 'push', 'remote', 'repository', 'run']],
    ['git commit -m x', ['command', 'repository', 'run', 'save_commit']],
    ['kill 1', ['command', 'kill', 'process', 'run', 'signal']],
    ['curl https://x.example', ['command', 'network', 'run']],
    ['git fetch; curl https://x.example', ['command', 'fetch', 'network', 'remote', 'repository', 'run']],
    ['ssh web git push', ['command', 'network', 'push', 'remote', 'remote_host', 'repository', 'run']],
    ['systemctl stop x', ['command', 'modify', 'operating_system', 'run']],
  ])('%s', (line, concepts) => {
    expect(conceptsFor(analyzeCommand(line))).toEqual(concepts);
  });

  it('name what cannot be known, and keep what can', () => {
    const concepts = conceptsFor(analyzeCommand('rm a; myrunner b'));
    expect(concepts).toContain(UNKNOWN_COMMAND);
    expect(concepts).toContain('delete');
  });

  it('hold the delete that hides in an assignment', () => {
    expect(shellConcepts()('x=$(rm -rf /) && ls')).toContain('delete');
  });

  it("follow a mapping of one's own", () => {
    const mapping = {
      always: [],
      reads: ['look'],
      writes: [],
      deletes: ['erase'],
      network: [],
      remote: [],
      changes: ['alter'],
      programs: { 'git push': ['publish'] },
    };
    expect(conceptsFor(analyzeCommand('cat a; rm b; git push; git commit -m x'), mapping)).toEqual([
      'alter',
      'erase',
      'look',
      'publish',
    ]);
  });

  it('are unknown for a call without a command line', () => {
    for (const args of [[], [7], [{}], [{ command: 7 }], [null]])
      expect(shellConcepts()(...args)).toEqual([UNKNOWN_COMMAND]);
    expect(shellConcepts({ argument: 'line' })({ line: 'pwd' })).not.toContain(UNKNOWN_COMMAND);
  });
});

const seeds = resolve(import.meta.dirname, '../../graph/seeds');

describe.skipIf(!existsSync(seeds))('the mapping and the seeds', () => {
  it('agree on the names, two apart that no seed has', () => {
    const known = ['filesystem', 'shell', 'git'].flatMap((name) =>
      [...readFileSync(join(seeds, `${name}.graph.yaml`), 'utf8').matchAll(/^ {2}([a-z_]+):$/gm)].map(
        (match) => match[1],
      ),
    );
    const { programs, wrappers: _, ...lists } = defaultMapping;
    const ofPrograms = Object.values(programs).flatMap((one) =>
      'reads' in one ? [...one.reads, ...one.changes] : one,
    );
    const used = new Set([...Object.values(lists).flat(), ...ofPrograms]);
    expect([...used].filter((name) => !known.includes(name)).sort()).toEqual(['network', 'remote_host']);
    expect(known).not.toContain(UNKNOWN_COMMAND);
  });
});

describe('cardinality of a line', () => {
  it.each<[string, 'single' | 'multiple' | null]>([
    ['rm a', 'single'],
    ['rm a b', 'multiple'],
    ['rm -rf a', 'multiple'],
    ['rm "$X"', null],
    ['cat a', 'single'],
    ['cat a b', 'multiple'],
    ['cp a b', 'single'],
    ['find . -delete', 'multiple'],
    ['ls | xargs rm', 'multiple'],
    ['myrunner a', null],
    ['git clean -fd', null],
    ['echo', 'single'],
  ])('%s', (line, cardinality) => {
    expect(cardinalityFor(analyzeCommand(line))).toBe(cardinality);
    expect(shellCardinality()(line)).toBe(cardinality);
  });

  it('is unknown for a call without a command line', () => {
    expect(shellCardinality()(7)).toBeNull();
  });
});

describe('concepts of a line in the words of domains', () => {
  const concepts = (line: string, ...domains: readonly MappedDomain[]) =>
    conceptsFor(analyzeCommand(line), mappingFor(domains)).filter((name) => !['command', 'run'].includes(name));

  it.each<[string, readonly MappedDomain[], readonly string[]]>([
    ['curl https://x.example', ['http'], ['get_resource', 'http_resource', 'network']],
    ['curl -o f https://x.example', ['http'], ['file', 'get_resource', 'http_resource', 'network', 'write']],
    ['curl -d a=1 https://x.example', ['http'], ['get_resource', 'http_resource', 'network', 'post_resource']],
    ['curl https://x.example', ['network', 'http'], ['get_resource', 'http_resource', 'network', 'receive_data']],
    ['gh api -X POST x', ['http'], ['access_token', 'http_resource', 'network', 'post_resource']],
    ['kubectl get pods', ['kubernetes'], ['cluster_object', 'inspect_objects', 'network']],
    ['kubectl -n a delete pod x', ['kubernetes'], ['cluster_object', 'delete_cluster_object', 'network']],
    ['ssh web ls', ['network'], ['directory', 'list', 'network', 'remote_host', 'run_remotely']],
    ['terraform plan', ['cloud'], ['infrastructure_code', 'network', 'plan_infrastructure', UNKNOWN_COMMAND]],
    ['aws s3 rm s3://a/b', ['cloud'], ['delete_stored_object', 'network', 'storage_bucket', UNKNOWN_COMMAND]],
  ])('%s with %j', (line, domains, expected) => {
    expect(concepts(line, ...domains)).toEqual(expected);
  });

  it('count what is unknown as a change', () => {
    expect(concepts('curl -K file', 'http')).toContain('post_resource');
  });

  it('say who runs in a container', () => {
    expect(concepts('kubectl exec p -- ls', 'kubernetes')).toContain('run_in_container');
    expect(concepts('kubectl exec p -- ls')).not.toContain('run_in_container');
  });

  it('leave everything else as the base mapping has it', () => {
    const { programs } = mappingFor(['http', 'http']);
    expect(programs['git push']).toEqual(defaultMapping.programs['git push']);
    expect(mappingFor([]).programs).toEqual(defaultMapping.programs);
  });
});
