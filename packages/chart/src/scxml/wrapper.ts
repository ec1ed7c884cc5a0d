import type { Extension } from '@warrant/core';
import { SCXML_NAMESPACE } from './vocabulary.ts';

type ElementExtension = Extract<Extension, { readonly children: unknown }>;

/**
 * What is foreign on an element that the IR has no part of its own for (`datamodel`, `initial`, the `content` around an
 * invoked chart): one extension that is named as the element is. Nothing where nothing is foreign.
 */
export function wrapperOf(local: string, foreign: readonly Extension[]): readonly Extension[] {
  if (foreign.length === 0) return [];
  const attributes = foreign.flatMap((one) =>
    'attribute' in one ? [[`{${one.namespace}}${one.local}`, one.attribute] as const] : [],
  );
  const children = foreign.filter((one) => !('attribute' in one));
  return [{ namespace: SCXML_NAMESPACE, local, attributes: Object.fromEntries(attributes), children }];
}

export type Unwrapped = {
  /** Extensions of the part itself. */
  readonly own: readonly Extension[];
  /** What is foreign on each element of that name in it. */
  readonly wrapped: readonly (readonly Extension[])[];
};

/** Takes the extensions apart again that {@link wrapperOf} put together. */
export function unwrap(extensions: readonly Extension[] = [], local: string): Unwrapped {
  const own = extensions.filter((one) => !isWrapper(one, local));
  return { own, wrapped: extensions.filter((one) => isWrapper(one, local)).map(foreignIn) };
}

/** Whether the extension stands for an element of the standard. */
export function isWrapper(one: Extension, local?: string): one is ElementExtension {
  return one.namespace === SCXML_NAMESPACE && !('attribute' in one) && (local === undefined || one.local === local);
}

/** What is foreign on the element that the extension stands for. */
export function foreignIn({ attributes, children }: ElementExtension): readonly Extension[] {
  const own = Object.entries(attributes).map(([name, attribute]): Extension => {
    const [, namespace = '', local = name] = /^\{([^}]*)\}(.*)$/s.exec(name) ?? [];
    return { namespace, local, attribute };
  });
  return [...own, ...children.filter((child) => typeof child !== 'string')];
}
