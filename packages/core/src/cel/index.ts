export type { CelPath } from './ast.ts';
export type {
  CelCondition,
  CelEnvironment,
  CelEnvironmentOptions,
  CelExpression,
  CelFunction,
  CelType,
  CelVariables,
} from './environment.ts';
export { createCelEnvironment } from './environment.ts';
export type { CelErrorCode, CelRange } from './errors.ts';
export type { CelLimits } from './limits.ts';
export { DEFAULT_CEL_LIMITS } from './limits.ts';
export type { CelWorker, CelWorkerOptions } from './worker.ts';
export { createCelWorker } from './worker.ts';
