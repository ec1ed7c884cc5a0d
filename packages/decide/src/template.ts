import { canonicalJson, type Json, type JsonObject } from '@warrant/core';

export type Rendered =
  | { readonly type: 'rendered'; readonly text: string }
  | { readonly type: 'missing'; readonly path: string };

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g;
const PATH = /^(context|event)((?:[.][A-Za-z0-9_-]+)+)$/;

/**
 * Puts values into a text: `{{context.ticket.text}}`, `{{event.data.id}}`. Text goes in as it is, everything else as
 * canonical JSON. Values are never read as templates themselves.
 */
export function renderTemplate(
  template: string,
  values: { readonly context: JsonObject; readonly event: Json },
): Rendered {
  let missing: string | undefined;
  const text = template.replace(PLACE, (_, path: string) => {
    const match = PATH.exec(path);
    const value =
      match === null
        ? undefined
        : lookUp(match[1] === 'context' ? values.context : values.event, (match[2] as string).slice(1));
    if (value === undefined) missing ??= path;
    if (value === undefined) return '';
    return typeof value === 'string' ? value : canonicalJson(value);
  });
  return missing === undefined ? { type: 'rendered', text } : { type: 'missing', path: missing };
}

function lookUp(root: Json, path: string): Json | undefined {
  let current: Json | undefined = root;
  for (const step of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as { readonly [name: string]: Json })[step];
  }
  return current;
}
