import type { Extension } from '@warrant/core';

/** The namespace of what charts say beyond the standard: deciders, types, grants. */
export const VT_NAMESPACE = 'https://w3id.org/vertep/vt#';

/** The namespace of the standard. An extension in it stands for an element that the chart has no part of its own for. */
export const SCXML_NAMESPACE = 'http://www.w3.org/2005/07/scxml';

/** The text of an extension of that namespace, written as an attribute or as an element; several are joined by line ends. */
export function vtText(extensions: readonly Extension[] | undefined, local: string): string | undefined {
  const found = (extensions ?? []).filter((one) => one.namespace === VT_NAMESPACE && one.local === local);
  if (found.length === 0) return undefined;
  return found
    .map((one) =>
      'attribute' in one ? one.attribute : one.children.filter((child) => typeof child === 'string').join(''),
    )
    .join('\n');
}
