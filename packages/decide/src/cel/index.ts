import type { DataModel } from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';

/** CEL for agents' charts: like `celDataModel()`, and it knows `vt_usage`, the totals of what models were asked. */
export function agentDataModel(options: { readonly iterations?: number } = {}): DataModel {
  return celDataModel({ ...options, variables: ['vt_usage'] });
}
