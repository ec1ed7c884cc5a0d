import type { TimerIndex } from '@warrant/core';

type Timer = { readonly actor: string; readonly timer: string; readonly due: string };

/** Timers of all actors in memory, a heap by due time; rebuilt from the journal, so losing it loses nothing. */
export function createMemoryTimerIndex(): TimerIndex {
  const heap: Timer[] = [];
  const current = new Map<string, string>();
  let cursor: string | undefined;
  const nameOf = ({ actor, timer }: Pick<Timer, 'actor' | 'timer'>) => `${actor} ${timer}`;
  const isCurrent = (timer: Timer) => current.get(nameOf(timer)) === timer.due;
  const compact = (): void => {
    if (heap.length < 64 || heap.length < current.size * 2) return;
    const kept = heap.filter(isCurrent).sort((a, b) => (a.due < b.due ? -1 : 1));
    heap.splice(0, heap.length, ...kept);
  };
  return {
    note: async (at, changes) => {
      for (const { actor, timer, due } of changes) {
        if (due === null) current.delete(nameOf({ actor, timer }));
        else {
          current.set(nameOf({ actor, timer }), due);
          push(heap, { actor, timer, due });
        }
      }
      cursor = at;
      compact();
    },
    due: async (now, limit) => {
      const found: Timer[] = [];
      for (let first = heap[0]; first !== undefined && first.due <= now && found.length < limit; first = heap[0]) {
        pop(heap);
        if (isCurrent(first) && !found.some((one) => nameOf(one) === nameOf(first))) found.push(first);
      }
      for (const timer of found) push(heap, timer);
      return found;
    },
    cursor: async () => cursor,
  };
}

function push(heap: Timer[], timer: Timer): void {
  let index = heap.length;
  heap.push(timer);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if ((heap[parent] as Timer).due <= timer.due) break;
    heap[index] = heap[parent] as Timer;
    index = parent;
  }
  heap[index] = timer;
}

function pop(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child + 1 < heap.length && (heap[child + 1] as Timer).due < (heap[child] as Timer).due) child += 1;
    if (child >= heap.length || (heap[child] as Timer).due >= last.due) break;
    heap[index] = heap[child] as Timer;
    index = child;
  }
  heap[index] = last;
}
