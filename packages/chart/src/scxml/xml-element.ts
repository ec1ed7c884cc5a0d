export type XmlElement = {
  readonly namespace: string;
  readonly local: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: (XmlElement | string)[];
  readonly parent: XmlElement | undefined;
  /** Whether its content may be a value: text and white space in it count. */
  readonly holdsValue: boolean;
  /** Where its `<` stands in the text. */
  readonly offset: number;
};

export type XmlAttribute = {
  /** Its namespace; empty for one of the element's own vocabulary. */
  readonly uri: string;
  readonly local: string;
  readonly value: string;
};

/** Tells where an element stands, as an XPath by local names: `/scxml/state[2]/transition[1]`. */
export function pathFinder(): (element: XmlElement) => string {
  // Siblings are counted once, however many of them are asked for.
  const numbered = new Set<XmlElement>();
  const ordinals = new Map<XmlElement, number>();
  const number = (parent: XmlElement): void => {
    if (numbered.has(parent)) return;
    numbered.add(parent);
    const counts = new Map<string, number>();
    for (const child of parent.children) {
      if (typeof child === 'string') continue;
      const ordinal = (counts.get(child.local) ?? 0) + 1;
      counts.set(child.local, ordinal);
      ordinals.set(child, ordinal);
    }
  };
  const pathOf = (element: XmlElement): string => {
    if (element.parent === undefined) return `/${element.local}`;
    number(element.parent);
    return `${pathOf(element.parent)}/${element.local}[${ordinals.get(element) ?? 1}]`;
  };
  return pathOf;
}
