import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { guard, preparePolicies } from '@warrant/policy';
import { lintPolicies, loadPolicies, parsePolicies, testPolicies } from '@warrant/policy/files';
import { expect, it } from 'vitest';
import { openFilesystem } from './filesystem.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

it('keeps its examples, and every policy is met by one', async () => {
  const { graph, grounder } = await openFilesystem();
  const policies = await preparePolicies([await loadPolicies(pathOf('policies.yaml'))], { graph, expectPolicies: 3 });
  const text = readFileSync(pathOf('examples.yaml'), 'utf8');
  const report = await testPolicies(policies, { file: 'examples.yaml', text }, { grounder });
  expect(report).toMatchObject({ type: 'ran', passed: 5, failed: 0, neverExercised: [], neverFired: [] });
  const findings = await lintPolicies(policies, {
    graph,
    tools: [{ name: 'deleteFile', concepts: ['delete', 'file'] }],
  });
  expect(findings).toMatchObject([{ code: 'always-true', key: 'many-at-once', line: 10 }]);
});

it('is enforced', async () => {
  const { grounder } = await openFilesystem();
  const deleted: string[] = [];
  const deleteFile = guard((path: string) => deleted.push(path), {
    name: 'deleteFile',
    parameters: ['path'],
    concepts: ['delete', 'file'],
    cardinality: (path) => (path.includes('*') ? 'multiple' : 'single'),
    grounder,
    policies: await loadPolicies(pathOf('policies.yaml')),
    onPolicy: (findings) => findings.every((finding) => finding.key === 'path-from-the-web'),
  });
  expect((await deleteFile('/srv/protected/a')).type).toBe('blocked');
  // Not an absolute path: the condition cannot be evaluated, so it fires.
  expect(await deleteFile('protected/a')).toMatchObject({
    type: 'blocked',
    verdict: { reasons: [{ code: 'policy.condition-error', data: { policy: 'protected-folder' } }] },
  });
  expect((await deleteFile('/srv/tmp/a')).type).toBe('executed');
  expect(deleted).toEqual(['/srv/tmp/a']);
});

it('tells a mistake with its line', () => {
  const text = readFileSync(pathOf('policies.yaml'), 'utf8').replace(
    "within(call.arguments.path, '",
    "within(call.path '",
  );
  const parsed = parsePolicies({ file: 'policies.yaml', text });
  expect(parsed).toMatchObject({ type: 'faulty', faults: [{ line: 8, code: 'wrong-condition' }] });
});
