export { createFileOps, type FileKind, type FileOps, type FileStat } from './file-ops.ts';
export { createFolderReviewStore, type FolderReviewStore, type FolderStoreOptions } from './folder-store.ts';
export { inspectKnowledgeBase, type KnowledgeBase } from './knowledge-base.ts';
export type { Flock } from './log-lock.ts';
export { findKnowledgeBase, KNOWLEDGE_FOLDER, type OpenKnowledgeBase, openKnowledgeBase } from './open.ts';
export type { SkippedFile } from './record-files.ts';
export { createFileSettings, createFolderSettings } from './settings.ts';
