import type { Chart, ChartNode, Transition } from './chart.ts';

export type MermaidOptions = {
  /** Ids of states to show as active. */
  readonly highlight?: readonly string[];
};

/** The chart as a Mermaid state diagram (`stateDiagram-v2`). */
export function toMermaid(chart: Chart, options: MermaidOptions = {}): string {
  const root = chart.nodes[0] as ChartNode;
  const active = (options.highlight ?? []).flatMap((id) => chart.byId.get(id) ?? []);
  const highlight =
    active.length === 0
      ? []
      : [
          '  classDef active fill:#f9d56e,stroke:#8a6d00',
          ...active.filter(isLeaf).map((node) => `  class ${nameOf(node)} active`),
        ];
  return [
    'stateDiagram-v2',
    ...inside(root, '  '),
    ...chart.nodes.flatMap((node) => node.transitions).flatMap((transition) => arrows(transition)),
    ...highlight,
    '',
  ].join('\n');
}

function isLeaf(node: ChartNode): boolean {
  return node.children.length === 0;
}

function inside(node: ChartNode, indent: string): readonly string[] {
  const start =
    node.type === 'compound'
      ? (node.initial?.targets ?? [])
          .filter((target) => target.parent === node)
          .map((target) => `${indent}[*] --> ${nameOf(target)}`)
      : [];
  const parts = node.children.map((child) => state(child, indent));
  return [
    ...start,
    ...(node.type === 'parallel'
      ? parts.flatMap((lines, index) => (index === 0 ? lines : [`${indent}--`, ...lines]))
      : parts.flat()),
  ];
}

function state(node: ChartNode, indent: string): readonly string[] {
  const label = `${indent}state "${escapeLabel(labelOf(node))}" as ${nameOf(node)}`;
  const end = node.type === 'final' ? [`${indent}${nameOf(node)} --> [*]`] : [];
  if (node.children.length === 0) return [label, ...end];
  return [label, `${indent}state ${nameOf(node)} {`, ...inside(node, `${indent}  `), `${indent}}`];
}

function labelOf(node: ChartNode): string {
  if (node.type !== 'history') return node.id;
  return node.deep ? `${node.id} (H*)` : `${node.id} (H)`;
}

function arrows(transition: Transition): readonly string[] {
  const cond = transition.cond === undefined ? '' : ` [${transition.cond.source}]`;
  const label = escapeLabel(`${transition.events.join(' ')}${cond}`.trim());
  const targets = transition.targets.length === 0 ? [transition.source] : transition.targets;
  return targets.map(
    (target) => `  ${nameOf(transition.source)} --> ${nameOf(target)}${label === '' ? '' : ` : ${label}`}`,
  );
}

/** Ids may hold what Mermaid's names may not. */
function nameOf(node: ChartNode): string {
  return `s${node.index}`;
}

/** Mermaid reads `#…;` as a character; colons, quotes, semicolons and line ends would end a label. */
function escapeLabel(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replace(/[#;":<>{}]/g, (sign) => `#${sign.codePointAt(0)};`);
}
