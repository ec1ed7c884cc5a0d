export { applyImport } from './apply-import.ts';
export { conceptId } from './concept-id.ts';
export type { ExportOptions } from './export.ts';
export { exportGraph } from './export.ts';
export type {
  DocumentConcept,
  DocumentLevel,
  DocumentRelatum,
  GraphDocument,
  GraphFile,
  Place,
} from './format.ts';
export { DOCUMENT_LIMITS, GRAPH_FORMAT, LEVEL_WORDS } from './format.ts';
export type { InvalidDocuments, ParsedDocuments } from './parse.ts';
export { documentError, parseGraphDocuments } from './parse.ts';
export type { ImportPlan, PlannedImport } from './plan.ts';
export { importProblems, planImport } from './plan.ts';
export type { ImportOptions } from './plan-types.ts';
export type { DocumentProblem, DocumentProblemCode } from './problems.ts';
export { formatProblem } from './problems.ts';
export type { SeedName } from './seeds.ts';
export { loadSeed, loadSeeds, SEED_NAMES } from './seeds.ts';
export type { MappedTool, ParsedToolMapping, ToolMapping, ToolSeedName } from './tools.ts';
export { loadToolSeed, mappedTool, parseToolMapping, TOOL_SEED_NAMES, TOOLS_FORMAT } from './tools.ts';
