export type { Experience, ExperienceSettings, Experiences, ExperienceWeights } from './fold.ts';
export { confidenceIn, experienceKey, foldExperience } from './fold.ts';
export type { JournalledEntry } from './guard-reader.ts';
export { createGuardReader } from './guard-reader.ts';
export type { HealthCode, HealthFinding } from './health.ts';
export { graphHealth } from './health.ts';
export type { ActOutcome, Exercised, ExperienceRecord } from './records.ts';
export { recordOfTrace } from './records.ts';
