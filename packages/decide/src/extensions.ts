import type { Extension } from '@warrant/core';

/** The two namespaces of what charts say to agents: the one the format comes from, and our own. */
export const VT_NAMESPACE = 'https://w3id.org/vertep/vt#';
export const DECIDE_NAMESPACE = 'urn:warrant:decide:1';

/** What one node says to agents: texts by name, and elements with their attributes. */
export type Said = {
  readonly namespaces: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
  readonly elements: readonly SaidElement[];
};
type SaidElement = {
  readonly local: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
};

/** Gathers the extensions of both namespaces; an attribute that is given twice counts once, the first. */
export function saidBy(extensions: readonly Extension[] | undefined): Said {
  const namespaces = new Set<string>();
  const texts = new Map<string, string>();
  const elements: SaidElement[] = [];
  for (const one of extensions ?? []) {
    if (one.namespace !== VT_NAMESPACE && one.namespace !== DECIDE_NAMESPACE) continue;
    namespaces.add(one.namespace);
    if ('attribute' in one) {
      if (!texts.has(one.local)) texts.set(one.local, one.attribute);
      continue;
    }
    const text = one.children
      .filter((child) => typeof child === 'string')
      .join('')
      .trim();
    elements.push({ local: one.local, attributes: plainAttributes(one.attributes), text });
    // An element without attributes is the long form of an attribute.
    if (Object.keys(one.attributes).length === 0 && text !== '' && !texts.has(one.local)) texts.set(one.local, text);
  }
  return { namespaces, texts, elements };
}

/** Attributes of an element may carry the namespace themselves. */
function plainAttributes(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.replace(`{${VT_NAMESPACE}}`, '').replace(`{${DECIDE_NAMESPACE}}`, ''),
      value,
    ]),
  );
}

export function wordsOf(text: string | undefined): readonly string[] {
  return (text ?? '').split(/\s+/).filter((word) => word !== '');
}
