import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphs, known, queries, view } from '../../test/graphs.ts';
import { ground } from '../ground.ts';
import { traceRecord } from '../trace.ts';
import { gapText, remedyText } from './gap-text.ts';
import { renderMarkdown } from './markdown.ts';
import { renderMermaid } from './mermaid.ts';
import { renderTree } from './tree.ts';

const graph = view(
  known('delete', 3, { 1: [['requires', 'path', 2]], 2: [['applies-to', 'file', 1]] }),
  known('path', 1),
  known('file', 2),
);
const result = ground(graph, { concepts: ['delete', 'file', 'ghost'] });

describe('a tree', () => {
  it('shows concepts with their levels and relata, gaps with what closes them, and the verdict', () => {
    expect(renderTree(result, { actor: 'robot' })).toBe(
      [
        'Grounding check by robot: delete, file, ghost',
        '├── ◈ delete  ● ● ● ● ○',
        '│   ├── D1 requires → path (D2)',
        '│   └── D2 applies-to → file (D1)',
        '├── ◈ file  ● ● ● ○ ○',
        '├── ◈ path  ● ● ○ ○ ○',
        "├── existence: 'ghost' is not in the graph",
        "│   └── → add 'ghost' with its identity (D1)",
        "├── relational: 'delete' needs 'path' at D2, which is known to D1",
        "│   └── → describe D2 of 'path'",
        '└── ✗ not grounded: 2 gaps',
      ].join('\n'),
    );
  });

  it('draws in ASCII when asked, and in colour only when asked', () => {
    const ascii = renderTree(result, { ascii: true });
    expect(ascii).toMatch(/^[\x20-\x7E\n]+$/);
    expect(ascii.split('\n').at(-1)).toBe('`-- x not grounded: 2 gaps');
    const coloured = renderTree(result, { colour: true });
    expect(coloured).toContain('\u001B[31m✗ not grounded: 2 gaps\u001B[0m');
    expect(coloured.replace(/\p{Cc}\[\d+m/gu, '')).toBe(renderTree(result));
    expect(renderTree(ground(graph, { concepts: [] }))).toContain('no concepts were given');
    expect(renderTree(ground(graph, { concepts: ['file'] }))).toContain('✓ grounded');
  });
});

describe('Markdown for a model', () => {
  const countTokens = (text: string) => Math.ceil(text.length / 4);

  it('says the verdict, the gaps and what is known', () => {
    const text = renderMarkdown(result, { maxTokens: 1_000, countTokens });
    expect(text.split('\n').slice(0, 4)).toEqual([
      '**Not grounded**: delete, file, ghost',
      "- **existence gap**: 'ghost' is not in the graph. To close it: add 'ghost' with its identity (D1).",
      "- **relational gap**: 'delete' needs 'path' at D2, which is known to D1. To close it: describe D2 of 'path'.",
      '- **delete**',
    ]);
    expect(text).toContain('  - D1: note: "x"; requires path (D2)');
  });

  it('does not advise to add a concept without a name', () => {
    const nameless = ground(view(), { concepts: [''] });
    const text = renderTree(nameless, {});
    expect(text).toContain('existence: a concept has no name');
    expect(text).toContain('ask by the name of a concept');
    expect(nameless.gaps[0]?.remedy).toEqual({ action: 'name-concepts' });
  });

  it('leaves out from the end what does not fit, and says how much', () => {
    const text = renderMarkdown(result, { maxTokens: 50, countTokens });
    expect(text.split('\n').at(-1)).toBe('_Left out: 1 gaps and 3 concepts._');
  });

  it('never exceeds its budget, or says that it is too small', () => {
    fc.assert(
      fc.property(graphs, queries, fc.nat(400), (primitives, query, maxTokens) => {
        const one = ground(view(...primitives), query);
        try {
          expect(countTokens(renderMarkdown(one, { maxTokens, countTokens }))).toBeLessThanOrEqual(maxTokens);
        } catch (error) {
          expect(error).toMatchObject({ code: 'GROUNDING_BUDGET_TOO_SMALL' });
          expect(maxTokens).toBeLessThan(60);
        }
      }),
    );
  });
});

describe('confidence', () => {
  const confidence = (concept: string, level: number) => (concept === 'delete' && level > 1 ? level / 4 : null);

  it('stands beside the levels that have one, in a tree and in Markdown', () => {
    expect(renderTree(result, { confidence }).split('\n')[1]).toBe(
      '├── ◈ delete  ● ● ● ● ○  D2 50 %, D3 75 %, D4 100 %',
    );
    expect(renderTree(result, { confidence }).split('\n')[4]).toBe('├── ◈ file  ● ● ● ○ ○');
    const text = renderMarkdown(result, { maxTokens: 1_000, countTokens: (all) => all.length / 4, confidence });
    expect(text).toContain('  - D2 (confidence 50 %): note: "x"; applies-to file (D1)');
    expect(text).toContain('  - D1: note: "x"; requires path (D2)');
  });

  it('stands in the JSON form by concept and level, and the verdict and its digest are as they were', () => {
    const trace = {
      at: '2026-01-01T00:00:00.000Z',
      actor: null,
      query: { concepts: ['delete'], minDepth: null },
      result,
    };
    const plain = traceRecord(trace);
    const shown = traceRecord(trace, { confidence });
    expect(shown.confidence).toEqual([2, 3, 4].map((level) => ({ concept: 'delete', level, confidence: level / 4 })));
    const { confidence: _, ...rest } = shown;
    expect(rest).toEqual(plain);
    expect(plain).not.toHaveProperty('confidence');
  });
});

describe('Mermaid', () => {
  it('draws what was reached and marks what has a gap', () => {
    expect(renderMermaid(result)).toBe(
      [
        'flowchart LR',
        '  n0["delete (D3)"]',
        '  n1["file (D2)"]',
        '  n2["path (D1)"]:::gap',
        '  u0["ghost (unknown)"]:::gap',
        '  n0 -->|"requires D1 to D2"| n2',
        '  n0 -->|"applies-to D2 to D1"| n1',
        '  classDef gap stroke-dasharray: 4 3',
      ].join('\n'),
    );
    const odd = known('a"] --> x#<b>', 0);
    expect(renderMermaid(ground(view(odd), { concepts: [odd.name] }))).toContain(
      'n0["a#34;] --#62; x#35;#60;b#62; (D0)"]',
    );
    const directive = known("%%{init: {'theme': 'dark'}}%%", 0);
    expect(renderMermaid(ground(view(directive), { concepts: [directive.name, '%%{ghost}%%'] }))).not.toContain('%%');
  });
});

describe('a gap in words', () => {
  it('says what is missing and what would close it, for every kind', () => {
    const apart = ground(view(known('a', 1), known('b', 1, { 1: [['includes', 'b', 0]] })), {
      concepts: ['a', 'b'],
      minDepth: 2,
    });
    expect(apart.gaps.map((gap) => `${gapText(gap)}: ${remedyText(gap)}`)).toEqual([
      "'a' is known to D1, D2 is needed: describe D2 of 'a'",
      "'b' is known to D1, D2 is needed: describe D2 of 'b'",
      "'b' is not connected to the other concepts: relate 'b' to 'a'",
    ]);
    const hollow = ground(view({ ...known('h', 0), depths: [] }), { concepts: ['h'] });
    expect(hollow.gaps.map(gapText)).toEqual(["'h' is known not even to exist (D0), D0 is needed"]);
  });
});
