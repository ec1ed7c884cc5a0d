import { expect, test } from 'vitest';
import { event, type Machine, start } from './support.ts';

const decides = (names: readonly string[]) =>
  `{ extensions: [{ local: decide, attribute: d }], on: { ${names.map((name) => `${name}: {}`).join(', ')} } }`;
const told = ({ facts }: Machine) =>
  facts
    .filter(({ type }) => type === 'offered')
    .map((fact) => (fact as unknown as { candidates: string[] }).candidates);
const named = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `e${index}_`.padEnd(length, 'x'));

test.each([
  ['more than 32 names', named(33, 5), named(32, 5)],
  ['names of more than 80 signs', named(32, 81), named(32, 80)],
])('%s are cut off in what is written down, not in the offer', (_, names, written) => {
  const one = start(`states: { a: ${decides(names)} }`);
  expect(told(one)).toEqual([written]);
  expect(one.state.slots[0]?.candidates.map((candidate) => candidate.event)).toEqual(names);
});

test('offers after the first share 1200 signs with it, and of each the first name is told', () => {
  const [first, second, third] = [named(14, 72), named(3, 64), ['x', 'y']];
  const one = start(`
states:
  p: { type: parallel, on: { again: p }, states: { a: ${decides(first)}, b: ${decides(second)}, c: ${decides(third)} } }
`);
  // With three signs around each name these are 1058, 142 and more; each one offers what the states around it take, too.
  const written = [first, second.slice(0, 2), []].map((names) => ['again', ...names]);
  expect(told(one)).toEqual(written);
  one.take(event('again'));
  expect(told(one)).toEqual([...written, ...written]);
});
