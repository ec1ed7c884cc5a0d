/** A graph that knows nothing. */
export const nothingKnown = {
  check: async ({ concepts }: { readonly concepts: readonly string[] }) => ({
    grounded: false,
    resolved: concepts,
    gaps: concepts.map((concept) => ({ type: 'existence' as const, concept, remedy: {} })),
    pathway: [],
    primitives: [],
    graph: { epoch: 'e', revision: 1 },
    view: `sha256:${'0'.repeat(64)}` as const,
  }),
};
