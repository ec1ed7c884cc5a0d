import type { Depth, GroundingResult, InformedPart, Primitive } from '@warrant/core';
import { type ConfidenceOf, confidencesOf, percentText } from '../confidence.ts';
import { gapText, remedyText } from './gap-text.ts';
import { safeText } from './safe-text.ts';

/** How the tree is drawn. */
export type TreeOptions = {
  /** ANSI colours. @default false */
  readonly colour?: boolean;
  /** Only characters of ASCII in what is drawn; names stay as they are. @default false */
  readonly ascii?: boolean;
  /** Shown beside each concept, by level. It decides nothing. @default nothing is shown */
  readonly confidence?: ConfidenceOf;
  /** Who asked, for the first line. @default nobody */
  readonly actor?: string | null;
};

const SIGNS = {
  unicode: {
    branch: '├── ',
    last: '└── ',
    bar: '│   ',
    arrow: '→',
    concept: '◈',
    known: '●',
    absent: '○',
    yes: '✓',
    no: '✗',
  },
  ascii: {
    branch: '|-- ',
    last: '`-- ',
    bar: '|   ',
    arrow: '->',
    concept: '*',
    known: '#',
    absent: '.',
    yes: '+',
    no: 'x',
  },
} as const;
const CODES = { green: 32, red: 31, yellow: 33, cyan: 36, dim: 2 } as const;
const LEVELS = 5;

type Pen = {
  readonly signs: (typeof SIGNS)['unicode' | 'ascii'];
  readonly paint: (colour: keyof typeof CODES, text: string) => string;
};

/** A result as a tree for a terminal: its concepts with their levels and relata, then the gaps, then the verdict. */
export function renderTree(result: GroundingResult, options: TreeOptions = {}): string {
  const pen = penOf(options);
  const names = new Map(result.primitives.map((primitive) => [primitive.id, primitive.name]));
  const branches = [
    ...result.primitives.map((primitive) => {
      const branch = conceptBranch(primitive, names, pen);
      const confidence = options.confidence === undefined ? '' : levelsText(primitive.name, options.confidence);
      return confidence === '' ? branch : { ...branch, line: `${branch.line}  ${pen.paint('dim', confidence)}` };
    }),
    ...informedBranch(result.informed, names, pen),
    ...result.gaps.map((gap) => ({
      line: pen.paint('yellow', `${gap.type}: ${gapText(gap)}`),
      twigs: [pen.paint('dim', `${pen.signs.arrow} ${remedyText(gap)}`)],
    })),
    { line: verdictLine(result, pen), twigs: [] },
  ];
  const who = options.actor === undefined || options.actor === null ? '' : ` by ${safeText(options.actor)}`;
  return [`Grounding check${who}: ${askedFor(result)}`, ...branches.flatMap(drawBranch(pen, branches.length))].join(
    '\n',
  );
}

function penOf({ colour = false, ascii = false }: TreeOptions): Pen {
  return {
    signs: ascii ? SIGNS.ascii : SIGNS.unicode,
    paint: (name, text) => (colour ? `\u001B[${CODES[name]}m${text}\u001B[0m` : text),
  };
}

function askedFor(result: GroundingResult): string {
  return result.resolved.length === 0 ? 'nothing' : result.resolved.map(safeText).join(', ');
}

type Branch = { readonly line: string; readonly twigs: readonly string[] };

function drawBranch({ signs }: Pen, count: number): (branch: Branch, index: number) => readonly string[] {
  return ({ line, twigs }, index) => {
    const isLast = index === count - 1;
    const indent = isLast ? '    ' : signs.bar;
    return [
      (isLast ? signs.last : signs.branch) + line,
      ...twigs.map((twig, at) => indent + (at === twigs.length - 1 ? signs.last : signs.branch) + twig),
    ];
  };
}

function conceptBranch(primitive: Primitive, names: ReadonlyMap<string, string>, { signs, paint }: Pen): Branch {
  const has = new Set(primitive.depths.map((depth) => depth.level as number));
  const dots = Array.from({ length: LEVELS }, (_, level) => (has.has(level) ? signs.known : signs.absent)).join(' ');
  return {
    line: `${signs.concept} ${paint('cyan', safeText(primitive.name))}  ${dots}`,
    twigs: primitive.depths.flatMap((depth) => relataOf(depth, names, signs.arrow)),
  };
}

/** Such as `D1 50 %, D3 83 %`. */
function levelsText(concept: string, confidence: ConfidenceOf): string {
  return confidencesOf([concept], confidence)
    .map((one) => `D${one.level} ${percentText(one.confidence)}`)
    .join(', ');
}

function relataOf(depth: Depth, names: ReadonlyMap<string, string>, arrow: string): readonly string[] {
  return depth.relata.map(
    ({ relation, target, targetDepth }) =>
      `D${depth.level} ${relation} ${arrow} ${safeText(names.get(target) ?? target)} (D${targetDepth})`,
  );
}

function informedBranch(
  informed: readonly InformedPart[] | undefined,
  names: ReadonlyMap<string, string>,
  { signs, paint }: Pen,
): readonly Branch[] {
  if (informed === undefined) return [];
  const twigs = informed.map(({ concept, level, relatum, peer }) => {
    const target = relatum === null ? '' : ` ${relatum.relation} ${signs.arrow} `;
    const end =
      relatum === null ? '' : `${safeText(names.get(relatum.target) ?? relatum.target)} (D${relatum.targetDepth})`;
    return paint('dim', `${safeText(peer)}: ${safeText(concept)} D${level}${target}${end}`);
  });
  return [{ line: 'told by peers, not counted', twigs }];
}

function verdictLine(result: GroundingResult, { signs, paint }: Pen): string {
  if (result.grounded) return paint('green', `${signs.yes} grounded`);
  const gaps = result.gaps.length;
  return paint(
    'red',
    `${signs.no} not grounded: ${gaps === 0 ? 'no concepts were given' : `${gaps} ${gaps === 1 ? 'gap' : 'gaps'}`}`,
  );
}
