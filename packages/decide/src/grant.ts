import type { Grant } from '@warrant/core';
import { type Said, wordsOf } from './extensions.ts';

/** Nothing at all. */
export const EMPTY_GRANT: Grant = { targets: [], tools: [], deciders: [], functions: [] };
const KINDS = ['targets', 'tools', 'deciders', 'functions'] as const;
const ATTRIBUTES: { readonly [Kind in keyof Grant]: string } = {
  targets: 'grantTargets',
  tools: 'grantTools',
  deciders: 'grantDeciders',
  functions: 'grantFunctions',
};
const PARENT = '#_parent';

/** Whether any of the nodes speaks of a grant, be it an empty one. */
export function saysGrant(nodes: readonly Said[]): boolean {
  return nodes.some(
    ({ texts, elements }) =>
      elements.some(({ local }) => local === 'grant') || KINDS.some((kind) => texts.has(ATTRIBUTES[kind])),
  );
}

/** What a chart says that it needs: attributes and elements of all the nodes together. Nothing said is the empty grant. */
export function declaredGrant(nodes: readonly Said[]): Grant {
  const lists: Record<keyof Grant, string[]> = { targets: [], tools: [], deciders: [], functions: [] };
  for (const said of nodes) {
    for (const kind of KINDS) {
      lists[kind].push(...wordsOf(said.texts.get(ATTRIBUTES[kind])));
      for (const element of said.elements)
        if (element.local === 'grant') lists[kind].push(...wordsOf(element.attributes[kind]));
    }
  }
  return Object.fromEntries(KINDS.map((kind) => [kind, [...new Set(lists[kind])]])) as unknown as Grant;
}

/** What a child may reach: what it asks for, as far as its parent has it. `*` is all that the parent has. */
export function intersectGrants(parent: Grant, own: Grant): Grant {
  return {
    targets: intersectTargets(parent.targets, own.targets),
    tools: intersect(parent.tools, own.tools),
    deciders: intersect(parent.deciders, own.deciders),
    functions: intersect(parent.functions, own.functions),
  };
}

export function isGranted(list: readonly string[], name: string): boolean {
  return list.includes('*') || list.includes(name);
}

export function holdsAny(grant: Grant): boolean {
  return KINDS.some((kind) => grant[kind].length > 0);
}

function intersect(parent: readonly string[], own: readonly string[]): readonly string[] {
  if (own.includes('*')) return parent;
  if (parent.includes('*')) return own;
  return own.filter((name) => parent.includes(name));
}

/** The way to the parent is the child's own: its parent has it if and only if it invoked the child. */
function intersectTargets(parent: readonly string[], own: readonly string[]): readonly string[] {
  const outside = intersect(
    parent.filter((name) => name !== PARENT),
    own.filter((name) => name !== PARENT),
  );
  return own.includes(PARENT) || own.includes('*') ? [PARENT, ...outside] : outside;
}
