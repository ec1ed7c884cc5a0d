import { DECIDE_NAMESPACE, VT_NAMESPACE } from '../extensions.ts';

export type Service = 'llm' | 'tool' | 'plan' | 'chart' | 'unknown';

const CHARTS = new Set(['', 'scxml', 'http://www.w3.org/TR/scxml', 'http://www.w3.org/TR/scxml/']);
const PREFIXES = ['vt:', VT_NAMESPACE, `${DECIDE_NAMESPACE}#`];

/** What the `type` of an invoke asks for. */
export function serviceOf(processor: string | undefined): Service {
  const name = (processor ?? '').trim();
  if (CHARTS.has(name)) return 'chart';
  const prefix = PREFIXES.find((one) => name.startsWith(one));
  const local = prefix === undefined ? '' : name.slice(prefix.length);
  return local === 'llm' || local === 'tool' || local === 'plan' ? local : 'unknown';
}
