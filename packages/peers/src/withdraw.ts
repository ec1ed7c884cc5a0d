import type { Depth, Primitive, Provenance } from '@warrant/core';
import type { LocalGraph } from './local-graph.ts';

/** Primitives as they would be without what one peer brought; null for those that nobody names any more. */
export type Withdrawn = ReadonlyMap<string, Primitive | null>;

/**
 * Takes away a peer's levels and relata, and nothing of anybody else. A concept of the peer that others name stays without
 * the peer's levels, and a level that others put relata on stays hollow: what stands on either loses ground.
 */
export function withdraw(graph: LocalGraph, peer: string): Withdrawn {
  const withdrawn = new Map<string, Primitive | null>();
  for (const primitive of graph.byId.values()) {
    const rest = without(primitive, peer);
    if (rest !== primitive) withdrawn.set(primitive.id, rest);
  }
  const named = new Set<string>();
  for (const primitive of graph.byId.values()) {
    const rest = withdrawn.get(primitive.id) ?? primitive;
    for (const { relata } of rest.depths) for (const { target } of relata) named.add(target);
  }
  // A concept that is gone names nothing any more, so that others may follow it.
  const empty = [...withdrawn].filter(([, rest]) => isGone(rest, peer)).map(([id]) => id);
  for (const id of empty) {
    if (!named.has(id)) withdrawn.set(id, null);
    else if (graph.byId.get(id)?.depths.length === 0) withdrawn.delete(id);
  }
  return withdrawn;
}

function isGone(rest: Primitive | null, peer: string): boolean {
  return rest !== null && rest.depths.length === 0 && isOf(rest.provenance, peer);
}

/** True for what this peer brought. */
export function isOf({ source, peer }: Provenance, name: string): boolean {
  return source === 'peer' && peer?.name === name;
}

/** True for a level that holds nothing but what others put on it. */
export function isHollow(depth: Depth): boolean {
  return depth.provenance.peer?.mode === 'informs' && Object.keys(depth.properties).length === 0;
}

function without(primitive: Primitive, peer: string): Primitive {
  const depths: Depth[] = [];
  let changed = false;
  for (const depth of primitive.depths) {
    const relata = depth.relata.filter(({ provenance }) => !isOf(provenance, peer));
    const own = isOf(depth.provenance, peer);
    if (!own && relata.length === depth.relata.length) {
      depths.push(depth);
      continue;
    }
    if (own && isHollow(depth) && relata.length === depth.relata.length && relata.length > 0) {
      depths.push(depth);
      continue;
    }
    changed = true;
    if (!own) depths.push({ ...depth, relata });
    else if (relata.length > 0) depths.push(hollow(depth, relata));
  }
  return changed || isStale(primitive, peer) ? { ...primitive, depths } : primitive;
}

/** A concept of the peer without any level: it stayed since others named it, and may go once they do not. */
function isStale(primitive: Primitive, peer: string): boolean {
  return primitive.depths.length === 0 && isOf(primitive.provenance, peer);
}

function hollow(depth: Depth, relata: Depth['relata']): Depth {
  const { peer, ...stamp } = depth.provenance;
  const provenance: Provenance =
    peer === undefined ? depth.provenance : { ...stamp, peer: { ...peer, mode: 'informs' } };
  return { ...depth, properties: {}, relata, provenance };
}
