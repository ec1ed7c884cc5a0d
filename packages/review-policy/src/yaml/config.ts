import { isMapping, member } from '../faults.ts';
import { type ParseOptions, parsePolicy } from '../parse-policy.ts';
import type { ParsedPolicy } from '../policy.ts';
import { parseYaml } from './document.ts';

/** A configuration document as far as reviews go. */
export type ReviewConfig =
  | {
      readonly type: 'config';
      readonly policy: ParsedPolicy;
      /** The JSON at `review.policy`; `null` when there is none. */
      readonly document: unknown;
      /** The mapping `review`, else empty. */
      readonly review: { readonly [key: string]: unknown };
      /** The whole document, else empty. */
      readonly config: { readonly [key: string]: unknown };
    }
  | {
      readonly type: 'refused';
      readonly message: string;
      readonly line: number | null;
      readonly column: number | null;
    };

/** Reads the text of a configuration document whose policy sits at `review.policy`. */
export function readConfig(text: string, options: ParseOptions = {}): ReviewConfig {
  const document = parseYaml(text);
  if (document.type === 'refused') return document;
  const config = isMapping(document.value) ? document.value : {};
  const found = member(config, 'review');
  const review = isMapping(found) ? found : {};
  const value = member(review, 'policy') ?? null;
  return { type: 'config', policy: parsePolicy(value, options), document: value, review, config };
}
