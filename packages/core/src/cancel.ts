/** What every long call accepts: aborting it stops the work and rejects the call. */
export type Cancel = { readonly signal?: AbortSignal };
