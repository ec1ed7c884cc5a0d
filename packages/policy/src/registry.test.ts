import { describe, expect, it } from 'vitest';
import { EDGE } from '../test/support/kit.ts';
import { createSmallGrounder, FILES } from '../test/support/small-grounder.ts';
import { preparePolicies } from './prepare.ts';
import { createPolicyRegistry } from './registry.ts';

const passes = () => ({ passed: true });
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('createPolicyRegistry', () => {
  it('takes the key from the function and keeps registration order', () => {
    const registry = createPolicyRegistry();
    registry.register(EDGE, function protectFiles() {
      return { passed: true };
    });
    registry.register({ ...EDGE, key: 'second' }, passes);
    expect(registry.freeze().placements.map(({ key, name, effect }) => [key, name, effect])).toEqual([
      ['protectFiles', 'protectFiles', 'confirm'],
      ['second', 'second', 'confirm'],
    ]);
  });

  it('refuses a key that is there already', () => {
    const registry = createPolicyRegistry();
    registry.register({ ...EDGE, key: 'a' }, passes);
    expect(() => registry.register({ ...EDGE, key: 'a' }, passes)).toThrow(code('POLICY_DUPLICATE_KEY'));
    expect(registry.size).toBe(1);
  });

  it('refuses registration and clearing once frozen, and enforces what was frozen', () => {
    const registry = createPolicyRegistry();
    registry.register({ ...EDGE, key: 'a' }, passes);
    const set = registry.freeze();
    expect(() => registry.register({ ...EDGE, key: 'b' }, passes)).toThrow(code('POLICY_REGISTRY_FROZEN'));
    expect(() => registry.clear()).toThrow(code('POLICY_REGISTRY_FROZEN'));
    expect(registry.freeze()).toBe(set);
    expect(registry.frozen).toBe(true);
    expect(set.placements).toHaveLength(1);
    expect(Object.isFrozen(set.placements) && Object.isFrozen(set.placements[0])).toBe(true);
  });

  it('clears before it is frozen, so that a key is free again', () => {
    const registry = createPolicyRegistry();
    registry.register({ ...EDGE, key: 'a' }, passes);
    registry.clear();
    registry.register({ ...EDGE, key: 'a' }, passes);
    expect(registry.size).toBe(1);
  });

  it('keeps registries apart', () => {
    const [first, second] = [createPolicyRegistry(), createPolicyRegistry()];
    first.register({ ...EDGE, key: 'a' }, passes);
    first.freeze();
    second.register({ ...EDGE, key: 'a' }, passes);
    expect([first.frozen, second.frozen, second.size]).toEqual([true, false, 1]);
  });

  it.each([
    ['a level out of range', { sourceDepth: 5 }],
    ['a level that is no number', { sourceDepth: Number.NaN }],
    ['a broken level', { sourceDepth: 1.5 }],
    ['a source that is no text', { source: 7 }],
    ['a lone surrogate', { target: '\uD800' }],
    ['an unknown cardinality', { triggerCardinality: 'SINGLE' }],
    ['a confirmation that is no truth value', { requiresConfirmation: 'no' }],
    ['metadata that is not JSON', { metadata: { when: new Date(0) } }],
    ['metadata that is a list', { metadata: [] }],
    ['an unknown stickiness', { sticky: 'always' }],
    ['an empty key', { key: '' }],
  ])('refuses %s', (_what, wrong) => {
    const registry = createPolicyRegistry();
    const declaration = { ...EDGE, key: 'a', ...wrong } as Parameters<typeof registry.register>[0];
    expect(() => registry.register(declaration, passes)).toThrow(code('POLICY_PLACEMENT_INVALID'));
    expect(registry.size).toBe(0);
  });

  it('does not change when the declaration does afterwards', () => {
    const registry = createPolicyRegistry();
    const declaration = { ...EDGE, key: 'a', requiresConfirmation: false, metadata: { limit: 1 } };
    registry.register(declaration, passes);
    declaration.requiresConfirmation = true;
    declaration.metadata.limit = 2;
    expect(registry.freeze().placements[0]).toMatchObject({ effect: 'block', metadata: { limit: 1 } });
  });

  it('names a set by its content, not by the identity of functions', () => {
    const set = (version: string | null, message = 'm') => {
      const registry = createPolicyRegistry();
      registry.register({ ...EDGE, key: 'a', version, confirmationMessage: message }, () => ({ passed: true }));
      return registry.freeze().digest();
    };
    expect(set(null)).toBe(set(null));
    expect(new Set([set(null), set('2'), set(null, 'other')]).size).toBe(3);
  });
});

describe('preparePolicies', () => {
  const graph = createSmallGrounder(FILES);
  const registryOf = (...declarations: Parameters<ReturnType<typeof createPolicyRegistry>['register']>[0][]) => {
    const registry = createPolicyRegistry();
    for (const declaration of declarations) registry.register(declaration, passes);
    return registry;
  };

  it('validates names as the graph compares them, then freezes', async () => {
    const registry = registryOf({ key: 'a', source: 'DELETE', target: 'File', sourceDepth: 3 });
    expect((await preparePolicies([registry], { graph, expectPolicies: 1 })).placements).toHaveLength(1);
    for (const sources of [registry, 'ask', null]) {
      await expect(preparePolicies(sources as never)).rejects.toThrow(/a list of registries and sets/);
    }
    expect(registry.frozen).toBe(true);
  });

  it('names every placement without an edge, and freezes nothing', async () => {
    const registry = registryOf(
      { key: 's', source: 'nothing', target: 'file', sourceDepth: 3 },
      { key: 't', source: 'delete', target: 'nothing', sourceDepth: 3 },
      { key: 'e', source: 'delete', target: 'file', sourceDepth: 2 },
      { key: 'both', source: 'nothing', target: 'nowhere', sourceDepth: 3 },
    );
    const orphans = [
      { key: 's', type: 'source-missing' },
      { key: 't', type: 'target-missing' },
      { key: 'e', type: 'edge-missing' },
      { key: 'both', type: 'source-missing' },
    ];
    await expect(preparePolicies([registry], { graph })).rejects.toMatchObject({
      code: 'POLICY_ORPHANED',
      data: { orphans },
    });
    expect(registry.frozen).toBe(false);
  });

  it('looks at the count before anything else', async () => {
    const registry = registryOf({ key: 's', source: 'nothing', target: 'file', sourceDepth: 3 });
    await expect(preparePolicies([registry], { graph, expectPolicies: 2 })).rejects.toMatchObject({
      code: 'POLICY_COUNT',
      data: { expected: 2, actual: 1 },
    });
    await expect(preparePolicies([], { expectPolicies: 1 })).rejects.toMatchObject({ code: 'POLICY_COUNT' });
  });

  it('refuses a policy that slipped in while the graph was asked', async () => {
    const registry = registryOf({ key: 'a', ...EDGE });
    const slow = {
      view: async (names: readonly string[]) => {
        registry.register({ key: 'late', source: 'nothing', target: 'file', sourceDepth: 3 }, passes);
        return graph.view(names);
      },
    };
    await expect(preparePolicies([registry], { graph: slow })).rejects.toMatchObject({ code: 'POLICY_COUNT' });
    expect(registry.frozen).toBe(false);
  });

  it('refuses two sources with one key', async () => {
    const sources = [registryOf({ key: 'a', ...EDGE }), registryOf({ key: 'a', ...EDGE })];
    await expect(preparePolicies(sources)).rejects.toMatchObject({ code: 'POLICY_DUPLICATE_KEY' });
  });
});
