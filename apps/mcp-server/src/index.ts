export { memoryTools } from './memory-tools.ts';
export { type OpenedReview, type OpenReviewOptions, openReview } from './open.ts';
export { createReviewServer, type ReviewServerOptions, reviewTools } from './server.ts';
export { createToolServer, type ToolResult, type ToolSet, type WireTool } from './tools.ts';
