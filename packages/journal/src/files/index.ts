export type { Archived, ArchiveOptions } from './archive.ts';
export { archiveJournal } from './archive.ts';
export { exportFile, importFile } from './jsonl-file.ts';
export { createFileKeyStore } from './key-store.ts';
export type { ArchiveVerified, VerifyArchiveOptions } from './verify-archive.ts';
export { verifyArchive } from './verify-archive.ts';
