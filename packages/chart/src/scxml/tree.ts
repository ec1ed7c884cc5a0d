import { holdsValues, SCXML_NAMESPACE, vocabulary } from './vocabulary.ts';
import type { XmlAttribute, XmlElement } from './xml-element.ts';

/** A parser cuts a new text from the document for each name and namespace; of the known ones one is kept. */
export function onceOf(name: string): string {
  return NAMES.get(name) ?? name;
}

const NAMES: ReadonlyMap<string, string> = new Map(
  [SCXML_NAMESPACE, ...Object.entries(vocabulary).flatMap(([element, { attributes }]) => [element, ...attributes])].map(
    (name) => [name, name] as const,
  ),
);

const MORE_THAN_SPACE = /\S/;

export type Tree = {
  readonly open: (namespace: string, local: string, attributes: readonly XmlAttribute[], offset: number) => void;
  readonly close: () => void;
  readonly text: (text: string) => void;
  /** Whether white space at this place may be part of a value. */
  readonly keepsSpace: () => boolean;
  readonly depth: () => number;
  readonly innermost: () => XmlElement | undefined;
  readonly root: () => XmlElement | undefined;
};

/** Puts elements together as they are opened and closed. */
export function createTree(): Tree {
  let root: XmlElement | undefined;
  let inner: XmlElement | undefined;
  let depth = 0;
  return {
    open: (namespace, local, attributes, offset) => {
      const holdsValue = namespace !== SCXML_NAMESPACE || holdsValues.has(local) || inner?.holdsValue === true;
      const element: XmlElement = { namespace, local, attributes, children: [], parent: inner, holdsValue, offset };
      if (inner === undefined) root ??= element;
      else inner.children.push(element);
      inner = element;
      depth += 1;
    },
    close: () => {
      inner = inner?.parent;
      depth -= 1;
    },
    text: (text) => {
      if (inner === undefined || text === '') return;
      // Most text of a chart only indents it.
      if (!inner.holdsValue && !MORE_THAN_SPACE.test(text)) return;
      const { children } = inner;
      const last = children.at(-1);
      if (typeof last === 'string') children[children.length - 1] = last + text;
      else children.push(text);
    },
    keepsSpace: () => inner?.holdsValue === true,
    depth: () => depth,
    innermost: () => inner,
    root: () => root,
  };
}
