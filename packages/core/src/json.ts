export type Digest = `sha256:${string}`;
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };
/** Why a verdict is what it is. `code` is `layer.kebab-case`; `remedy` says what would change the verdict. */
export type Reason = {
  readonly code: string;
  readonly message: string;
  readonly data: JsonObject;
  readonly remedy?: JsonObject;
};
/** Key in the AgentRegistry. Rules match the key, records carry key and id. */
export type ActorKey = string;
