import { actorRepresentatives, admitsActor } from './actor-classes.ts';
import { addBit, type Bits, bitsOf, emptyBits, hasBit, isEmptyBits } from './bits.ts';
import type { Condition } from './conditions.ts';
import { CLAIM_TYPES, type KindProfile, type KindTable } from './kinds.ts';
import { type NumberClass, numberClasses } from './number-classes.ts';
import type { Rule } from './policy.ts';

/** Kind, claim type (`null`: none that a rule can name) and evidence of a proposal. */
export type Shape = { readonly profile: KindProfile; readonly claimType: string | null; readonly evidence: boolean };

/** A condition that is taken as a fact of its own, and the side of it that a rule needs. */
export type Literal = { readonly atom: string; readonly positive: boolean };

/** The proposals that one rule takes, as a box in the space of all that rules can tell apart. */
export type Box = {
  readonly rule: Rule;
  readonly shapes: Bits;
  readonly actors: Bits;
  /** First and last confidence class; `null` when the rule does not ask. */
  readonly range: readonly [number, number] | null;
  readonly keys: readonly string[];
  readonly literals: readonly Literal[];
};

/** All proposals that a list of rules can tell apart. */
export type Space = {
  readonly shapes: readonly Shape[];
  readonly actors: readonly string[];
  readonly confidences: readonly NumberClass[];
  readonly boxes: readonly Box[];
  /** Whether keys follow from the rest (a confidence sets the key `confidence`), or are taken as independent. */
  readonly keysFollow: boolean;
};

/** @param options.keysFollow false: evidence, confidence and keys are independent, as lint judges */
export function createSpace(
  rules: readonly Rule[],
  kinds: KindTable,
  options: { readonly keysFollow: boolean },
): Space {
  const shapes = shapesOf(rules, kinds);
  const confidences = numberClasses(rules.flatMap((rule) => [rule.minConfidence, rule.maxConfidence]));
  const actors = actorClasses(rules);
  const boxes = rules.map((rule, index) => boxOf(rule, shapes, actors.members[index] as Bits, confidences));
  return { shapes, actors: actors.names, confidences, boxes, keysFollow: options.keysFollow };
}

function shapesOf(rules: readonly Rule[], kinds: KindTable): readonly Shape[] {
  const named = CLAIM_TYPES.filter((type) => rules.some((rule) => rule.claimTypes?.has(type)));
  return [...kinds.values()].flatMap((profile) => {
    const types = profile.hasClaimType ? [null, ...named] : [null];
    const evidences = profile.evidenceKeys.length > 0 ? [false, true] : [false];
    return types.flatMap((claimType) => evidences.map((evidence) => ({ profile, claimType, evidence })));
  });
}

type ActorClasses = { readonly names: readonly string[]; readonly members: readonly Bits[] };

// Actors that no rule tells apart are one class.
function actorClasses(rules: readonly Rule[]): ActorClasses {
  const all = actorRepresentatives(rules);
  const positions = new Map(all.map((name, index) => [name, index]));
  const admitted = rules.map((rule) => admittedActors(rule, all, positions));
  const classes = new Map<string, number>();
  const names: string[] = [];
  const seats = new Map<number, number>();
  for (let actor = 0; actor < all.length; actor += 1) {
    const signature = signatureOf(admitted, actor);
    if (classes.has(signature)) continue;
    classes.set(signature, names.length);
    seats.set(actor, names.length);
    names.push(all[actor] as string);
  }
  const members = admitted.map((bits) => {
    const renumbered = emptyBits(names.length);
    for (const [actor, seat] of seats) if (hasBit(bits, actor)) addBit(renumbered, seat);
    return renumbered;
  });
  return { names, members };
}

function admittedActors(rule: Rule, all: readonly string[], positions: ReadonlyMap<string, number>): Bits {
  if (rule.actors === null) return bitsOf(all.length, (index) => admitsActor(rule, all[index] as string));
  const bits = emptyBits(all.length);
  for (const name of rule.actors) {
    const position = positions.get(name);
    if (position !== undefined && admitsActor(rule, name)) addBit(bits, position);
  }
  return bits;
}

function signatureOf(admitted: readonly Bits[], actor: number): string {
  let signature = '';
  let letter = 0;
  for (let rule = 0; rule < admitted.length; rule += 1) {
    letter = letter * 2 + (hasBit(admitted[rule] as Bits, actor) ? 1 : 0);
    if (rule % 15 !== 14) continue;
    signature += String.fromCharCode(letter);
    letter = 0;
  }
  return signature + String.fromCharCode(letter);
}

function boxOf(rule: Rule, shapes: readonly Shape[], actors: Bits, confidences: readonly NumberClass[]): Box {
  return {
    rule,
    shapes: bitsOf(shapes.length, (index) => admitsShape(rule, shapes[index] as Shape)),
    actors,
    range: rangeOf(rule, confidences),
    keys: [...new Set(rule.payloadHas ?? [])],
    literals: rule.extended.flatMap(literalOf),
  };
}

function admitsShape(rule: Rule, shape: Shape): boolean {
  if (rule.kinds !== null && !rule.kinds.has(shape.profile.kind)) return false;
  if (rule.claimTypes !== null && (shape.claimType === null || !rule.claimTypes.has(shape.claimType))) return false;
  if ((rule.minConfidence !== null || rule.maxConfidence !== null) && !shape.profile.hasConfidence) return false;
  return rule.hasEvidence === null || rule.hasEvidence === shape.evidence;
}

function rangeOf(rule: Rule, classes: readonly NumberClass[]): readonly [number, number] | null {
  if (rule.minConfidence === null && rule.maxConfidence === null) return null;
  const low = rule.minConfidence ?? 0;
  const high = rule.maxConfidence ?? 1;
  const fits = classes.map((item) => item.value >= low && item.value <= high);
  return [fits.indexOf(true), fits.lastIndexOf(true)];
}

function literalOf(condition: Condition): readonly Literal[] {
  switch (condition.type) {
    case 'quota':
      return [{ atom: condition.key, positive: true }];
    case 'quota-exceeded':
      return [{ atom: condition.key, positive: false }];
    case 'similar':
      return [{ atom: condition.key, positive: condition.value }];
    case 'window':
    case 'cel':
      return [{ atom: condition.key, positive: true }];
    default:
      return [];
  }
}

/** True when the box admits confidences of the class, or none for `null`. */
export function admitsConfidence(box: Box, index: number | null): boolean {
  if (box.range === null) return true;
  return index !== null && index >= box.range[0] && index <= box.range[1];
}

/** True when nothing can be in the box. */
export function isEmptyBox(box: Box): boolean {
  if (box.range !== null && (box.range[0] < 0 || box.range[0] > box.range[1])) return true;
  return isEmptyBits(box.actors) || isEmptyBits(box.shapes);
}
