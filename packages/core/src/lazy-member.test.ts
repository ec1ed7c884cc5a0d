import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical.ts';
import { lazyMember } from './lazy-member.ts';

describe('lazyMember', () => {
  it('works the member out when it is read, of its own source', () => {
    let asked = 0;
    const withSum = lazyMember('sum', (numbers: readonly number[]) => {
      asked += 1;
      return numbers.reduce((sum, one) => sum + one, 0);
    });
    const [small, large] = [withSum({ name: 'a' }, [1, 2]), Object.freeze(withSum({ name: 'b' }, [100]))];
    expect(asked).toBe(0);
    expect([small.sum, large.sum]).toEqual([3, 100]);
    expect(asked).toBe(2);
  });

  it('makes plain data, for copies, comparisons and JSON', () => {
    const made = Object.freeze(lazyMember('upper', (text: string) => text.toUpperCase())({ of: 'a' }, 'a'));
    expect(made).toStrictEqual({ of: 'a', upper: 'A' });
    expect({ ...made }).toStrictEqual({ of: 'a', upper: 'A' });
    expect(canonicalJson(made)).toBe('{"of":"a","upper":"A"}');
  });

  it('keeps the members of two makers apart', () => {
    const one = lazyMember('one', (value: number) => value)({}, 1);
    expect(lazyMember('two', (value: number) => value)(one, 2)).toEqual({ one: 1, two: 2 });
  });
});
