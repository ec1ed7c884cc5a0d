import { describe, expect, it } from 'vitest';
import {
  analyzeCommand,
  cardinalityFor,
  conceptsFor,
  shellCardinality,
  shellConcepts,
  UNKNOWN_COMMAND,
} from './index.ts';

describe('concepts of a line', () => {
  it.each<[string, readonly string[]]>([
    ['ls src', ['directory', 'execute', 'file', 'list', 'process', 'read']],
    ['rm -rf x', ['delete', 'execute', 'file', 'process']],
    ['echo hi', ['execute', 'process']],
    ['mv a b', ['delete', 'execute', 'file', 'move', 'process', 'read', 'write']],
    ['chmod 600 a', ['execute', 'file', 'modify', 'permission', 'process', 'write']],
    ['git push', ['execute', 'network', 'process', 'remote', 'repository']],
    ['kill 1', ['execute', 'modify', 'process']],
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
