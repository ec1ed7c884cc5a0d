import type { ChartIr } from '@warrant/chart';
import { readScxml } from '@warrant/chart/scxml';
import { readYaml } from '@warrant/chart/yaml';

/** Reads plans that somebody wrote as text: SCXML where it begins with `<`, else YAML. */
export function planReader(): (text: string) => ChartIr {
  return (text) => (text.trimStart().startsWith('<') ? readScxml(new TextEncoder().encode(text)) : readYaml(text));
}
