import type { JsonObject } from './json.ts';

const BRAND = Symbol.for('warrant.error');

export type WarrantErrorOptions<Data extends JsonObject> = {
  readonly data?: Data;
  readonly cause?: unknown;
  /** True when the same call may succeed later without a change by the caller. @default false */
  readonly retryable?: boolean;
};

/**
 * The one error of all layers. `code` is stable and starts with the layer's name (`JOURNAL_ID_REUSED`);
 * messages name ids, places and limits, never payloads. Match with {@link isWarrantError}, not `instanceof`.
 */
export class WarrantError<Code extends string = string, Data extends JsonObject = JsonObject> extends Error {
  readonly code: Code;
  readonly data: Data;
  readonly retryable: boolean;

  constructor(code: Code, message: string, options: WarrantErrorOptions<Data> = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'WarrantError';
    this.code = code;
    this.data = options.data ?? ({} as Data);
    this.retryable = options.retryable ?? false;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** What travels over a wire: no stack and no cause. */
  toJSON(): { readonly code: Code; readonly message: string; readonly data: Data; readonly retryable: boolean } {
    return { code: this.code, message: this.message, data: this.data, retryable: this.retryable };
  }
}

/** True for a WarrantError of any copy of this package, optionally of one code. */
export function isWarrantError<Code extends string>(error: unknown, code?: Code): error is WarrantError<Code> {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false;
  return code === undefined || (error as { code?: unknown }).code === code;
}
