/** What the stores accept at most; beyond it a change is refused with `graph.limit`, a call with `GRAPH_LIMIT`. */
export const GRAPH_LIMITS = {
  /** UTF-16 code units of a concept's name. */
  nameLength: 512,
  /** UTF-16 code units of a primitive's id. */
  idLength: 256,
  /** UTF-16 code units of the canonical properties of one level. */
  propertiesLength: 262_144,
  /** UTF-16 code units of the canonical metadata of one relatum. */
  metadataLength: 65_536,
  /** Relata of one primitive, all levels together. */
  relata: 200_000,
  /** Names of one view. */
  viewNames: 400_000,
  /** Changes of one batch. */
  changes: 1_000_000,
  /** Reasons that one refusal lists; a last one says how many more there are. */
  reasons: 100,
} as const;
