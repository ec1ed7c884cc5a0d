import type { Grant } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intersectGrants, isGranted } from '../src/index.ts';
import { event, start } from './support.ts';

const names = fc.uniqueArray(fc.constantFrom('urn:a', 'urn:b', 'urn:c', '*', '#_parent'));
const grant: fc.Arbitrary<Grant> = fc.record({ targets: names, tools: names, deciders: names, functions: names });

test('what a child has, its parent has, down any line; * is no more than that', () => {
  fc.assert(
    fc.property(
      fc.array(grant, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('urn:a', 'urn:b', 'urn:zzz'),
      (line, name) => {
        const effective = line.reduce((above, own) => intersectGrants(above, own));
        for (const kind of ['targets', 'tools', 'deciders', 'functions'] as const) {
          const everywhere = line.every((one) => isGranted(one[kind], name));
          expect(isGranted(effective[kind], name)).toBe(everywhere);
        }
      },
    ),
  );
});

const WRITE = 'urn:tool:write';
const CHILD = (own: string) => `
data: { seen: [] }
states:
  a:
    invoke:
      id: c
      ${own}
      content:
        chart:
          states:
            s: { entry: [{ send: { event: tool.call, target: '${WRITE}' } }], on: { error.communication: t } }
            t: { entry: [{ send: { event: told, target: '#_parent' } }] }
    on:
      vt.grant.denied: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data.name]' } }] }
      told: { do: [{ assign: { location: seen, expr: 'ctx.seen + ["told"]' } }] }
`;
const grantOf = (tools: readonly string[]) => ({ targets: [], tools, deciders: [], functions: [] });

describe('an invoked chart', () => {
  const all = 'extensions: [{ local: grant, attributes: { targets: "*", tools: "*" } }]';

  test('that asks for everything has what its parent has: a tool that the parent lacks is refused at both ends', () => {
    const one = start(CHILD(all), { tools: [WRITE], grant: grantOf(['urn:tool:read']) });
    expect(one.data('seen')).toEqual([WRITE, 'told']);
    expect(one.state.calls).toEqual([]);
    expect(one.facts).toContainEqual({
      type: 'not-granted',
      session: '1.0',
      what: 'tools',
      name: WRITE,
      event: 'tool.call',
    });
  });

  test('reaches what both have', () => {
    const one = start(CHILD(all), { tools: [WRITE], grant: grantOf([WRITE]) });
    expect(one.state.calls).toMatchObject([{ kind: 'tool', tool: WRITE, session: '1.0' }]);
  });

  test('without a grant of its own reaches nothing, not even its parent', () => {
    const one = start(CHILD(''), { tools: [WRITE], grant: grantOf(['*']) });
    expect(one.data('seen')).toEqual([WRITE, '#_parent']);
    expect(one.state.calls).toEqual([]);
  });

  test('adds up what several grants say', () => {
    const both = `extensions: [{ local: grant, attributes: { targets: '#_parent' } }, { local: grantTools, attribute: '${WRITE}' }]`;
    const one = start(CHILD(both), { tools: [WRITE], grant: grantOf(['*']) });
    expect(one.state.calls).toMatchObject([{ tool: WRITE }]);
  });
});

test('the root itself reaches only what its kit lets it', () => {
  const one = start(
    `
data: { seen: [] }
states:
  a:
    on:
      go: { do: [{ send: { event: hello, targetexpr: ev.data } }] }
      error.communication: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data]' } }] }
`,
    { grant: { ...grantOf([]), targets: ['urn:agent:friend'] } },
  );
  one.take(event('go', 'urn:agent:stranger'));
  expect(one.data('seen')).toEqual([{ reason: 'not-granted', target: 'urn:agent:stranger' }]);
  one.take(event('go', 'urn:agent:friend'));
  expect(one.state.calls).toMatchObject([{ kind: 'message', target: 'urn:agent:friend', event: 'hello' }]);
});
