export type { CelDataModelOptions } from './data-model.ts';
export { celDataModel } from './data-model.ts';
