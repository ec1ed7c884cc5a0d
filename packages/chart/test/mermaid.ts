import { JSDOM } from 'jsdom';

type Mermaid = {
  initialize(options: object): void;
  parse(text: string): Promise<unknown>;
};

/** The real parser of Mermaid. It cleans labels with the help of a document, so it gets one. */
export async function loadMermaid(): Promise<(text: string) => Promise<void>> {
  const { window } = new JSDOM('<!doctype html><title>diagrams</title>');
  Object.assign(globalThis, { window, document: window.document });
  const { default: mermaid } = (await import('mermaid')) as { readonly default: Mermaid };
  mermaid.initialize({ startOnLoad: false });
  return async (text) => void (await mermaid.parse(text));
}
