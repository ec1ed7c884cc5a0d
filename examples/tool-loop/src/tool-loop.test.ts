import { createPolicyRegistry, guardAll, MAX_TOOL_RESULT } from '@warrant/policy';
import { expect, it } from 'vitest';
import { openFilesystem } from './filesystem.ts';
import { type Model, toolLoop } from './tool-loop.ts';

/** Reads what it is told as a model would: not the words of our policies, only what helps and what does not. */
const model: Model = (messages) => {
  const last = messages.at(-1)?.text ?? '';
  if (messages.length === 1) return { tool: 'deleteFile', path: '/srv/logs/today.log' };
  if (last.includes('policy does not allow')) return { tool: 'archiveFile', path: '/srv/logs/today.log' };
  if (last.includes('not enough is known')) return { tool: 'moveFile', path: '/srv/logs/today.log' };
  return { done: last.startsWith('DONE') ? 'The log is out of the way.' : 'I could not do it.' };
};

it('recovers from a policy and from a gap', async () => {
  const { grounder } = await openFilesystem();
  const registry = createPolicyRegistry();
  registry.register(
    { key: 'keep-logs', source: 'delete', target: 'file', sourceDepth: 3, requiresConfirmation: false },
    ({ call }) => ({
      passed: !(call.arguments['path'] as string).endsWith('.log'),
      message: 'Logs are kept for a year.',
    }),
  );
  const moved: string[] = [];
  const never = (path: string): string => {
    throw new Error(`must not run for ${path}`);
  };
  const parameters = ['path'];
  const tools = guardAll(
    {
      deleteFile: { tool: never, parameters, concepts: ['delete', 'file'] },
      archiveFile: { tool: never, parameters, concepts: ['archive', 'file'] },
      moveFile: {
        tool: (path: string) => {
          moved.push(path);
          return `${path} moved`;
        },
        parameters,
        concepts: ['move', 'file'],
      },
    },
    { grounder, policies: registry.freeze(), dormant: 'report' },
  );
  const messages = await toolLoop(model, tools, 'Make room in /srv/logs.');
  const answers = messages.filter((message) => message.role === 'tool').map((message) => message.text);
  expect(moved).toEqual(['/srv/logs/today.log']);
  expect(messages.at(-1)?.text).toBe('The log is out of the way.');
  expect(answers[0]).toContain('Logs are kept for a year.');
  expect(answers[1]).toContain('the concept "archive" is not in the graph');
  expect(answers[2]).toBe('DONE. The result: /srv/logs/today.log moved');
  expect(answers.every((text) => text.length < MAX_TOOL_RESULT)).toBe(true);
});
