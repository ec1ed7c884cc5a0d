import { describe, expect, it } from 'vitest';
import { createVirtualClock, isoTime, systemClock } from './clock.ts';
import { createIdSource, createSeededIds } from './ids.ts';
import { createVirtualTimer } from './timer.ts';
import { isWellFormed, toWellFormed } from './well-formed.ts';

describe('ids', () => {
  it('are UUIDs of version 7 that ascend, also within a millisecond and when the clock goes back', () => {
    const clock = createVirtualClock('2026-01-01T00:00:00.000Z');
    const ids = createIdSource({ clock });
    const made = Array.from({ length: 10_000 }, (_, index) => {
      if (index === 3000) clock.advance(-60_000);
      if (index === 6000) clock.advance(120_000);
      return ids.next();
    });
    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(made.length);
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt((made[0] as string).replaceAll('-', '').slice(0, 12), 16);
    expect(time).toBe(Date.parse('2026-01-01T00:00:00.000Z'));
  });

  it('come again from the same seed', () => {
    const [one, same, other] = ['a', 'a', 'b'].map((seed) => createSeededIds(seed));
    const take = (ids: typeof one): readonly string[] => Array.from({ length: 5 }, () => ids?.next() ?? '');
    const first = take(one);
    expect(take(same)).toEqual(first);
    expect(take(other)).not.toEqual(first);
  });
});

describe('clocks and timers', () => {
  it('tell the time they are told', () => {
    const clock = createVirtualClock(0);
    clock.advance(1500);
    expect(isoTime(clock)).toBe('1970-01-01T00:00:01.500Z');
    clock.set(86_400_000);
    expect(clock.now()).toBe(86_400_000);
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
  });

  it('run what falls due, in order, and nothing that was called off', () => {
    const timer = createVirtualTimer();
    const seen: string[] = [];
    timer.after(20, () => seen.push('late'));
    const off = timer.after(5, () => seen.push('off'));
    timer.after(10, () => {
      seen.push('early');
      timer.after(5, () => seen.push('nested'));
    });
    off();
    timer.advance(15);
    expect(seen).toEqual(['early', 'nested']);
    timer.advance(5);
    expect(seen).toEqual(['early', 'nested', 'late']);
  });
});

describe('well-formed text', () => {
  it('has no lone surrogates', () => {
    expect(isWellFormed('a\u{1f602}')).toBe(true);
    for (const text of ['\ud800', '\udc00', 'a\ud83dx', '\ude02\ud83d']) {
      expect(isWellFormed(text)).toBe(false);
      expect(isWellFormed(toWellFormed(text))).toBe(true);
    }
    expect(toWellFormed('a\ud800b\u{1f602}')).toBe('a\ufffdb\u{1f602}');
  });
});
