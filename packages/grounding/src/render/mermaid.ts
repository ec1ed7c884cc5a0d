import type { Gap, GroundingResult } from '@warrant/core';
import { safeText } from './safe-text.ts';

/** A result as a Mermaid flowchart: concepts and the edges that were followed, with gaps marked. */
export function renderMermaid(result: GroundingResult): string {
  const numbers = new Map(result.primitives.map((primitive, index) => [primitive.id, `n${index}`]));
  const gapped = new Set(result.gaps.map(concerned));
  const nodes = result.primitives.map((primitive, index) => {
    const deepest = primitive.depths.at(-1)?.level;
    const depth = deepest === undefined ? 'no level' : `D${deepest}`;
    return `  n${index}["${label(primitive.name)} (${depth})"]${gapped.has(primitive.name) ? ':::gap' : ''}`;
  });
  const unknown = result.gaps.flatMap((gap, index) =>
    gap.type === 'existence' ? [`  u${index}["${label(gap.concept)} (unknown)"]:::gap`] : [],
  );
  const edges = result.pathway.map(
    (edge) =>
      `  ${numbers.get(edge.source)} -->|"${edge.relation} D${edge.sourceDepth} to D${edge.targetDepth}"| ${numbers.get(edge.target)}`,
  );
  const style = gapped.size > 0 ? ['  classDef gap stroke-dasharray: 4 3'] : [];
  return ['flowchart LR', ...nodes, ...unknown, ...edges, ...style].join('\n');
}

function concerned(gap: Gap): string {
  return gap.type === 'relational' ? gap.target : gap.concept;
}

/** Mermaid reads entities inside quotes; quotes and markup must not end the label, and `%%{` begins a directive anywhere. */
function label(name: string): string {
  return safeText(name).replace(/[#%"<>&`\\]/g, (character) => `#${character.charCodeAt(0)};`);
}
