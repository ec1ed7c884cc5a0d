import { describe, expect, it } from 'vitest';
import { isWarrantError, WarrantError } from './error.ts';

describe('WarrantError', () => {
  it('keeps code, data, cause and whether to try again', () => {
    const cause = new Error('below');
    const error = new WarrantError('CORE_TEST', 'it failed', { data: { at: 1 }, cause, retryable: true });
    expect(error).toMatchObject({ code: 'CORE_TEST', message: 'it failed', data: { at: 1 }, retryable: true, cause });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'CORE_TEST',
      message: 'it failed',
      data: { at: 1 },
      retryable: true,
    });
    expect(new WarrantError('CORE_TEST', 'x')).toMatchObject({ data: {}, retryable: false });
    expect('cause' in new WarrantError('CORE_TEST', 'x')).toBe(false);
  });

  it('is known by its brand, also when another copy of the package made it', () => {
    const foreign = Object.assign(new Error('x'), { code: 'CORE_TEST', [Symbol.for('warrant.error')]: true });
    expect(isWarrantError(foreign)).toBe(true);
    expect(isWarrantError(foreign, 'CORE_TEST')).toBe(true);
    expect(isWarrantError(foreign, 'CORE_OTHER')).toBe(false);
    for (const other of [new Error('x'), null, undefined, 'x', { code: 'CORE_TEST' }]) {
      expect(isWarrantError(other)).toBe(false);
    }
  });
});
