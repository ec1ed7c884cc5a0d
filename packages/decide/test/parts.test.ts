import { describe, expect, test } from 'vitest';
import { saidBy } from '../src/extensions.ts';
import { declaredGrant, holdsAny, saysGrant } from '../src/grant.ts';
import { intersectGrants } from '../src/index.ts';
import { renderTemplate } from '../src/template.ts';
import { addUsage, isUsage } from '../src/usage.ts';
import { GRANT } from './support.ts';

describe('usage', () => {
  const totals = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30, calls: 2, cost: 0.5 };

  test('adds up, with the cost where one is told, and counts a call of which nothing is known', () => {
    const more = addUsage(totals, { promptTokens: 3, completionTokens: 4, cost: 0.25 });
    expect(more).toEqual({ prompt_tokens: 13, completion_tokens: 24, total_tokens: 37, calls: 3, cost: 0.75 });
    expect(addUsage(totals, { promptTokens: 1, completionTokens: 0 }).cost).toBe(0.5);
    expect(addUsage(totals, undefined)).toEqual({ ...totals, calls: 3 });
  });

  test.each([
    [{ promptTokens: 0, completionTokens: 0 }],
    [{ promptTokens: 1, completionTokens: 2, cost: 0 }],
    [{ promptTokens: 1, completionTokens: 2, cost: 0.1 }],
  ])('%j is what a provider can have counted', (usage) => expect(isUsage(usage)).toBe(true));

  test.each([
    [undefined],
    [null],
    ['3'],
    [{}],
    [{ promptTokens: 1 }],
    [{ completionTokens: 1 }],
    [{ promptTokens: -1, completionTokens: 1 }],
    [{ promptTokens: 1, completionTokens: -1 }],
    [{ promptTokens: 0.5, completionTokens: 1 }],
    [{ promptTokens: '1', completionTokens: 1 }],
    [{ promptTokens: 2 ** 60, completionTokens: 1 }],
    [{ promptTokens: 1, completionTokens: 1, cost: -0.1 }],
    [{ promptTokens: 1, completionTokens: 1, cost: Number.POSITIVE_INFINITY }],
    [{ promptTokens: 1, completionTokens: 1, cost: '1' }],
    [{ promptTokens: 1, completionTokens: 1, cost: null }],
    [{ promptTokens: 1, completionTokens: 1, tokens: 2 }],
  ])('%j is not', (usage) => expect(isUsage(usage)).toBe(false));
});

describe('a template', () => {
  const values = {
    context: { text: 'as it is {{context.n}}', n: 1, deep: { list: [true, { 'a-b_1': null }] }, gone: null },
    event: { name: 'e', data: { id: 'x' } },
  };
  const render = (template: string) => renderTemplate(template, values);

  test('puts text in as it is and everything else as canonical JSON, and reads no value as a template', () => {
    expect(render('a {{context.text}} b')).toEqual({ type: 'rendered', text: 'a as it is {{context.n}} b' });
    expect(render('{{ context.deep }}{{event.data.id}}{{event.name}}')).toEqual({
      type: 'rendered',
      text: '{"list":[true,{"a-b_1":null}]}xe',
    });
    expect(render('{{context.deep.list.1.a-b_1}} {{context.deep.list.0}}')).toEqual({
      type: 'rendered',
      text: 'null true',
    });
    expect(render('{context.n} {{}')).toEqual({ type: 'rendered', text: '{context.n} {{}' });
  });

  test.each([
    ['{{context.nothing}}', 'context.nothing'],
    ['{{context.n.more}}', 'context.n.more'],
    ['{{context.gone.more}}', 'context.gone.more'],
    ['{{context.text.length}}', 'context.text.length'],
    ['{{context.constructor}}', 'context.constructor'],
    ['{{context}}', 'context'],
    ['{{event}}', 'event'],
    ['{{other.n}}', 'other.n'],
    ['{{context.n + 1}}', 'context.n + 1'],
    ['{{context..n}}', 'context..n'],
    ['{{}}', ''],
    ['{{context.n}} {{context.first}} {{context.second}}', 'context.first'],
  ])('with %s has nothing there', (template, path) => {
    expect(render(template)).toEqual({ type: 'missing', path });
  });
});

describe('a grant', () => {
  const said = (...extensions: Parameters<typeof saidBy>[0] & object) => saidBy(extensions);
  const namespace = 'urn:warrant:decide:1';
  const attribute = (local: string, text: string) => ({ namespace, local, attribute: text });
  const element = (attributes: Record<string, string>) => ({ namespace, local: 'grant', attributes, children: [] });

  test('is said by any of its attributes, or by an element, be it empty', () => {
    for (const local of ['grantTargets', 'grantTools', 'grantDeciders', 'grantFunctions'])
      expect(saysGrant([said(), said(attribute(local, ''))])).toBe(true);
    expect(saysGrant([said(element({}))])).toBe(true);
    expect(saysGrant([said(attribute('grant', 'x')), said(attribute('tools', 'x'))])).toBe(false);
    expect(saysGrant([said({ ...element({ tools: 'x' }), local: 'other' })])).toBe(false);
    expect(saysGrant([])).toBe(false);
  });

  test('adds up over attributes, elements and nodes, each name once', () => {
    const grant = declaredGrant([
      said(attribute('grantTools', ' a  b '), element({ tools: 'b c', targets: '#_parent' })),
      said(element({ deciders: 'd', functions: 'f' }), element({ deciders: 'd e' }), {
        namespace,
        local: 'other',
        attributes: { tools: 'z' },
        children: [],
      }),
    ]);
    expect(grant).toEqual({ targets: ['#_parent'], tools: ['a', 'b', 'c'], deciders: ['d', 'e'], functions: ['f'] });
    expect(declaredGrant([])).toEqual(GRANT);
  });

  test('to the parent depends on the child alone, whatever the parent may reach', () => {
    const to = (...targets: string[]) => ({ ...GRANT, targets });
    expect(intersectGrants(to(), to('#_parent')).targets).toEqual(['#_parent']);
    expect(intersectGrants(to('#_parent'), to()).targets).toEqual([]);
    expect(intersectGrants(to('#_parent'), to('*')).targets).toEqual(['#_parent']);
    expect(intersectGrants(to('#_parent', 'urn:a'), to('urn:a')).targets).toEqual(['urn:a']);
    expect(intersectGrants(to('*'), to('urn:a', '#_parent')).targets).toEqual(['#_parent', 'urn:a']);
    expect(intersectGrants(to('urn:a'), to('*')).targets).toEqual(['#_parent', 'urn:a']);
  });

  test('holds nothing when all its lists are empty', () => {
    expect(holdsAny({ ...GRANT, functions: ['f'] })).toBe(true);
    expect(holdsAny(GRANT)).toBe(false);
  });
});
