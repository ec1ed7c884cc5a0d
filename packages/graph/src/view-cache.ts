import type { GraphVersion, GraphView } from '@warrant/core';

const MAX_VIEWS = 256;
const MAX_PRIMITIVES = 1000;

/** Views of one version of the graph by their names: a guarded tool asks for the same few again and again. */
export type ViewCache = {
  readonly find: (names: readonly string[], version: GraphVersion) => GraphView | undefined;
  readonly keep: (view: GraphView) => void;
  /** Lets go of the primitives that the views hold. */
  readonly clear: () => void;
};

/** Keeps at most 256 views of at most 1000 primitives each. */
export function createViewCache(): ViewCache {
  const views = new Map<string, GraphView>();
  let kept: GraphVersion | null = null;
  return {
    find: (names, version) => {
      if (version !== kept || !Array.isArray(names) || names.length === 0) return undefined;
      const view = views.get(names[0]);
      return view !== undefined && isSame(view.snapshot().names, names) ? view : undefined;
    },
    keep: (view) => {
      const { names, primitives } = view.snapshot();
      const [first] = names;
      if (first === undefined || primitives.length > MAX_PRIMITIVES) return;
      if (view.version !== kept || views.size >= MAX_VIEWS) views.clear();
      kept = view.version;
      // Whoever is handed a kept view is not the only one.
      views.set(first, Object.freeze(view));
    },
    clear: () => views.clear(),
  };
}

function isSame(known: readonly string[], asked: readonly string[]): boolean {
  if (known.length !== asked.length) return false;
  for (let index = 0; index < known.length; index += 1) if (known[index] !== asked[index]) return false;
  return true;
}
