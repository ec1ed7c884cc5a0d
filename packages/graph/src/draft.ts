import type { Depth, DepthLevel, Edge, Primitive, Provenance, Relatum } from '@warrant/core';
import { relatumKey } from './normalize.ts';

type DraftLevel = { readonly head: Omit<Depth, 'relata'>; readonly relata: Map<string, Relatum>; stored: Depth | null };

/** A primitive under change; made cheap to change many times within one batch. */
export type Draft = {
  /** False when the level is not there. */
  readonly putRelatum: (edge: Edge, provenance: Provenance) => boolean;
  readonly removeRelatum: (edge: Edge) => 'removed' | 'no-level' | 'no-relatum';
  readonly putDepth: (depth: Depth) => void;
  /** Takes out relata to these, and tells which of them it had. */
  readonly dropTargets: (ids: ReadonlySet<string>) => ReadonlySet<string>;
  readonly finish: () => Primitive;
};

/** A draft that starts from a primitive in normal form. */
export function createDraft(primitive: Primitive): Draft {
  const levels = new Map<DepthLevel, DraftLevel>(primitive.depths.map((depth) => [depth.level, openLevel(depth)]));
  return {
    putRelatum: (edge, provenance) => {
      const level = levels.get(edge.sourceDepth);
      if (level === undefined) return false;
      const key = relatumKey(edge);
      if (level.relata.has(key)) return true;
      level.stored = null;
      level.relata.set(key, {
        relation: edge.relation,
        target: edge.target,
        targetDepth: edge.targetDepth,
        provenance,
      });
      return true;
    },
    removeRelatum: (edge) => {
      const level = levels.get(edge.sourceDepth);
      if (level === undefined) return 'no-level';
      if (!level.relata.delete(relatumKey(edge))) return 'no-relatum';
      level.stored = null;
      return 'removed';
    },
    putDepth: (depth) => {
      levels.set(depth.level, openLevel(depth));
    },
    dropTargets: (ids) => {
      const dropped = new Set<string>();
      for (const level of levels.values()) {
        for (const [key, relatum] of level.relata) {
          if (!ids.has(relatum.target)) continue;
          level.relata.delete(key);
          level.stored = null;
          dropped.add(relatum.target);
        }
      }
      return dropped;
    },
    finish: () => {
      const ordered = [...levels.values()].sort((left, right) => left.head.level - right.head.level);
      return { ...primitive, depths: ordered.map(closeLevel) };
    },
  };
}

function openLevel(depth: Depth): DraftLevel {
  const { relata, ...head } = depth;
  return { head, relata: new Map(relata.map((relatum) => [relatumKey(relatum), relatum])), stored: depth };
}

function closeLevel(level: DraftLevel): Depth {
  return level.stored ?? { ...level.head, relata: [...level.relata.values()] };
}
