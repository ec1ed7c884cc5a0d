export type { Experience, ExperienceSettings, Experiences, ExperienceWeights } from './fold.ts';
export { confidenceIn, experienceKey, foldExperience } from './fold.ts';
export type { HealthCode, HealthFinding } from './health.ts';
export { graphHealth } from './health.ts';
export type { ActOutcome, Exercised, ExperienceRecord, JournalledEntry } from './records.ts';
export { createGuardReader, recordOfTrace } from './records.ts';
