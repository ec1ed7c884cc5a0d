export type XmlElement = {
  readonly namespace: string;
  readonly local: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: (XmlElement | string)[];
  readonly parent: XmlElement | undefined;
  /** Place among the siblings of the same local name, from 1. */
  readonly ordinal: number;
  /** Where its `<` stands in the text. */
  readonly offset: number;
};

export type XmlAttribute = { readonly namespace: string; readonly local: string; readonly value: string };

/** Where an element stands, as an XPath by local names: `/scxml/state[2]/transition[1]`. */
export function xmlPath(element: XmlElement): string {
  if (element.parent === undefined) return `/${element.local}`;
  return `${xmlPath(element.parent)}/${element.local}[${element.ordinal}]`;
}
