import type { Extension } from '@warrant/core';
import type { Element } from './element.ts';
import { SCXML_NAMESPACE } from './vocabulary.ts';
import { isWrapper } from './wrapper.ts';
import { foreignPart } from './write-extensions.ts';
import type { Out } from './write-xml.ts';

/**
 * What is foreign in an element whose children the IR sorts by kind: what stands after one of them is an extension that is
 * named as that one is and says the how many-th it is.
 */
export function extensionsBetween(element: Element): readonly Extension[] {
  if (element.children.length === 0) return element.extensions;
  const counts = new Map<string, number>();
  const after = element.children.flatMap(({ name }, at): readonly Extension[] => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const children = element.foreignAt(at + 1);
    if (children.length === 0) return [];
    return [{ namespace: SCXML_NAMESPACE, local: name, attributes: { after: String(counts.get(name)) }, children }];
  });
  return [...element.head, ...after];
}

/** The extensions of the element itself and its children, with what is foreign between them where it stood. */
export function wovenIn(
  extensions: readonly Extension[] | undefined,
  children: readonly Out[],
  prefixes: ReadonlyMap<string, string>,
): { readonly own: readonly Extension[]; readonly children: readonly Out[] } {
  const given = extensions ?? [];
  const counts = new Map<string, number>();
  const places = children.map((child) => (child.type === 'element' ? nextPlace(counts, child.name) : ''));
  const known = new Set(places);
  const isWoven = (one: Extension) => known.has(placeOf(one) ?? '-');
  const after = new Map<string, Extension[]>();
  for (const one of given.filter(isWoven)) {
    const place = placeOf(one) ?? '';
    const there = after.get(place);
    if (there === undefined) after.set(place, [one]);
    else there.push(one);
  }
  const elements = (place: string) =>
    (after.get(place) ?? []).flatMap((one) => foreignPart(childrenOf(one), prefixes).elements);
  return {
    own: given.filter((one) => !isWoven(one)),
    children: children.flatMap((child, at) => [child, ...elements(places[at] as string)]),
  };
}

function nextPlace(counts: Map<string, number>, name: string): string {
  const ordinal = (counts.get(name) ?? 0) + 1;
  counts.set(name, ordinal);
  return `${name} ${ordinal}`;
}

/** After which child the elements in the extension stand, if it says so. */
function placeOf(one: Extension): string | undefined {
  if (!isWrapper(one) || Object.keys(one.attributes).join() !== 'after') return undefined;
  return `${one.local} ${one.attributes['after']}`;
}

function childrenOf(one: Extension): readonly Extension[] {
  return isWrapper(one) ? one.children.filter((child) => typeof child !== 'string') : [];
}
