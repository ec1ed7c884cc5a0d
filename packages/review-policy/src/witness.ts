import { andBits, type Bits, hasBit, isEmptyBits, isWithin, meets, membersOutside } from './bits.ts';
import { admitsConfidence, type Box, isEmptyBox, type Literal, type Shape, type Space } from './space.ts';

/** One point of the space: a proposal, as far as rules can see it. */
export type Point = {
  readonly shape: Shape;
  readonly actor: string;
  /** `null`: the payload names none. */
  readonly confidence: number | null;
  readonly keys: readonly string[];
  /** Facts of extensions that the point fixes. */
  readonly atoms: ReadonlyMap<string, AtomValue>;
};
type AtomValue = 'held' | 'failed' | 'unknown';

/** Where a point is looked for: in every box of `inside`, in no box of `outside`. */
export type Search = { readonly inside: readonly Box[]; readonly outside: readonly Box[] };

type Room = {
  readonly shapes: Bits;
  readonly actors: Bits;
  readonly low: number;
  readonly high: number;
  readonly mayLackConfidence: boolean;
  readonly keys: ReadonlySet<string>;
  readonly ways: readonly ReadonlyMap<string, AtomValue>[];
};

/**
 * A point with fewest payload keys, or `null` when there is none. The search is exact: keys are fixed to those that
 * the inner boxes need (more keys only let more outer boxes in), the other axes are cut where outer boxes begin.
 */
export function findPoint(space: Space, search: Search): Point | null {
  const room = roomOf(space, search.inside);
  if (room === null) return null;
  const outside: Box[] = [];
  for (const box of search.outside) {
    if (!isNear(box, room) || isEmptyBox(box)) continue;
    if (swallows(box, room)) return null;
    outside.push(box);
  }
  const frames = framesOf(space, room).sort((a, b) => a.keys.size - b.keys.size);
  for (const frame of frames) {
    const point = searchFrame(space, room, frame, outside);
    if (point !== null) return point;
  }
  return null;
}

/** A shape, whether a confidence is named, and the keys that are set then. */
type Frame = { readonly shape: number; readonly hasConfidence: boolean; readonly keys: ReadonlySet<string> };

function roomOf(space: Space, inside: readonly Box[]): Room | null {
  const first = inside[0] as Box;
  const second = inside[1];
  if (second !== undefined && !(meets(first.shapes, second.shapes) && meets(first.actors, second.actors))) return null;
  let shapes = first.shapes;
  let actors = first.actors;
  let low = 0;
  let high = space.confidences.length - 1;
  for (const box of inside) {
    if (isEmptyBox(box)) return null;
    shapes = andBits(shapes, box.shapes);
    actors = andBits(actors, box.actors);
    if (box.range !== null) {
      low = Math.max(low, box.range[0]);
      high = Math.min(high, box.range[1]);
    }
  }
  const ways = atomsOf(inside);
  if (low > high || ways.length === 0 || isEmptyBits(shapes) || isEmptyBits(actors)) return null;
  const mayLackConfidence = inside.every((box) => box.range === null);
  return { shapes, actors, low, high, mayLackConfidence, keys: new Set(inside.flatMap((box) => box.keys)), ways };
}

// A guard also fires on what is unknown: its atoms may be there as wanted or unknown. Each map is one way to be inside.
function atomsOf(inside: readonly Box[]): readonly ReadonlyMap<string, AtomValue>[] {
  const wanted = new Map<string, Set<AtomValue>>();
  for (const literal of inside.flatMap((box) => box.literals)) {
    const values = wanted.get(literal.atom) ?? new Set();
    wanted.set(literal.atom, values.add(literal.positive ? 'held' : 'failed'));
  }
  let ways: readonly ReadonlyMap<string, AtomValue>[] = [new Map()];
  for (const [atom, values] of wanted) {
    const isFlexible = inside.every((box) => box.rule.action !== 'auto_approve' || !uses(box, atom));
    const choices: readonly AtomValue[] = [
      ...(values.size === 1 ? values : []),
      ...(isFlexible ? ['unknown' as const] : []),
    ];
    ways = ways.flatMap((way) => choices.map((choice) => new Map([...way, [atom, choice]])));
  }
  return ways;
}

function uses(box: Box, atom: string): boolean {
  return box.literals.some((literal) => literal.atom === atom);
}

function isNear(box: Box, room: Room): boolean {
  if (!meets(box.shapes, room.shapes) || !meets(box.actors, room.actors)) return false;
  return box.range === null || (box.range[0] <= room.high && box.range[1] >= room.low);
}

function swallows(box: Box, room: Room): boolean {
  if (box.literals.length > 0 || !box.keys.every((key) => room.keys.has(key))) return false;
  if (!isWithin(room.shapes, box.shapes) || !isWithin(room.actors, box.actors)) return false;
  if (box.range === null) return true;
  return !room.mayLackConfidence && box.range[0] <= room.low && box.range[1] >= room.high;
}

function framesOf(space: Space, room: Room): Frame[] {
  return space.shapes.flatMap((shape, index) => {
    if (!hasBit(room.shapes, index)) return [];
    const withConfidence = shape.profile.hasConfidence ? [false, true] : [false];
    return withConfidence
      .filter((hasConfidence) => hasConfidence || room.mayLackConfidence)
      .flatMap((hasConfidence) =>
        keySets(space, shape, hasConfidence, room.keys).map((keys) => ({ shape: index, hasConfidence, keys })),
      );
  });
}

// What is set because of the rest: a type, a confidence, evidence under any of its keys.
function keySets(
  space: Space,
  shape: Shape,
  hasConfidence: boolean,
  keys: ReadonlySet<string>,
): readonly ReadonlySet<string>[] {
  if (!space.keysFollow) return [keys];
  if (shape.profile.hasConfidence && keys.has('confidence') && !hasConfidence) return [];
  const implied = new Set(keys);
  if (shape.claimType !== null) implied.add('type');
  if (hasConfidence) implied.add('confidence');
  const evidenceKeys = shape.profile.evidenceKeys;
  if (!shape.evidence || evidenceKeys.some((key) => implied.has(key))) return [implied];
  return evidenceKeys.map((key) => new Set([...implied, key]));
}

function searchFrame(space: Space, room: Room, frame: Frame, outside: readonly Box[]): Point | null {
  const near = outside.filter((box) => hasBit(box.shapes, frame.shape) && box.keys.every((key) => frame.keys.has(key)));
  if (!frame.hasConfidence) return searchActors(space, room, frame, near, null);
  const starts = new Set([room.low]);
  for (const box of near) {
    if (box.range === null) continue;
    for (const start of [box.range[0], box.range[1] + 1]) if (start > room.low && start <= room.high) starts.add(start);
  }
  for (const start of starts) {
    const point = searchActors(space, room, frame, near, start);
    if (point !== null) return point;
  }
  return null;
}

function searchActors(
  space: Space,
  room: Room,
  frame: Frame,
  boxes: readonly Box[],
  confidence: number | null,
): Point | null {
  const here = boxes.filter((box) => admitsConfidence(box, confidence));
  const hard = here.filter((box) => box.literals.length === 0).map((box) => box.actors);
  const soft = here.filter((box) => box.literals.length > 0);
  const limit = soft.length === 0 ? 1 : Number.POSITIVE_INFINITY;
  for (const actor of membersOutside(room.actors, hard, limit)) {
    const near = soft.filter((box) => hasBit(box.actors, actor));
    const atoms = firstFound(room.ways, (way) => avoid(near, way));
    if (atoms === null) continue;
    return {
      shape: space.shapes[frame.shape] as Shape,
      actor: space.actors[actor] as string,
      confidence: confidence === null ? null : (space.confidences[confidence]?.value as number),
      keys: [...frame.keys],
      atoms,
    };
  }
  return null;
}

function firstFound<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

// Values for atoms with which none of the boxes matches: each must lose one of its literals.
function avoid(boxes: readonly Box[], atoms: ReadonlyMap<string, AtomValue>): ReadonlyMap<string, AtomValue> | null {
  const next = boxes.find((box) => box.literals.every((literal) => !isLost(box, literal, atoms)));
  if (next === undefined) return atoms;
  for (const literal of next.literals) {
    if (atoms.has(literal.atom)) continue;
    const opposite: AtomValue = literal.positive ? 'failed' : 'held';
    for (const value of next.rule.action === 'auto_approve' ? [opposite, 'unknown' as const] : [opposite]) {
      const found = avoid(boxes, new Map([...atoms, [literal.atom, value]]));
      if (found !== null) return found;
    }
  }
  return null;
}

function isLost(box: Box, literal: Literal, atoms: ReadonlyMap<string, AtomValue>): boolean {
  const value = atoms.get(literal.atom);
  if (value === undefined) return false;
  if (value === 'unknown') return box.rule.action === 'auto_approve';
  return (value === 'held') !== literal.positive;
}
