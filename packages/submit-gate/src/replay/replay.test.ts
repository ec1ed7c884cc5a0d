import { describe, expect, it } from 'vitest';
import { createGate } from '../gate.ts';
import { readTrace } from './read-trace.ts';
import { renderReplay, replayTrace } from './replay-trace.ts';

const claude = [
  { type: 'summary', summary: 'x' },
  { type: 'user', uuid: '1', sessionId: 's', cwd: '/repo', message: { role: 'user', content: 'Set the timeout' } },
  {
    type: 'assistant',
    uuid: '2',
    sessionId: 's',
    cwd: '/repo',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'tool_use', id: 't1', name: 'Write', input: { file_path: '/repo/a.cfg', content: 'timeout=30' } },
      ],
    },
  },
  {
    type: 'user',
    uuid: '3',
    sessionId: 's',
    cwd: '/repo',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'File created' }] },
    toolUseResult: { type: 'create' },
  },
  {
    type: 'assistant',
    uuid: 'x',
    sessionId: 's',
    isSidechain: true,
    message: {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'k1', name: 'Write', input: { file_path: '/repo/b' } }],
    },
  },
  {
    type: 'assistant',
    uuid: '4',
    sessionId: 's',
    cwd: '/repo',
    message: {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'cat a.cfg' } }],
    },
  },
  {
    type: 'user',
    uuid: '5',
    sessionId: 's',
    cwd: '/repo',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', content: 'timeout=30' }] },
    toolUseResult: { stdout: 'timeout=30', stderr: '' },
  },
  {
    type: 'assistant',
    uuid: '6',
    sessionId: 's',
    cwd: '/repo',
    message: { role: 'assistant', content: [{ type: 'text', text: 'I have set the timeout to 30.' }] },
  },
];
const openai = [
  { role: 'system', content: 'be good' },
  { role: 'user', content: 'Set the timeout' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'c1',
        type: 'function',
        function: { name: 'Write', arguments: '{"file_path":"a.cfg","content":"timeout=30"}' },
      },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'ok' },
  { role: 'assistant', content: 'I have set the timeout to 30.' },
];
const anthropic = claude.slice(1, 4).map((line) => line.message);
const responses = [
  { role: 'user', content: [{ type: 'input_text', text: 'go' }] },
  { type: 'reasoning' },
  { type: 'function_call', call_id: 'f1', name: 'Read', arguments: '{"file_path":"a"}' },
  { type: 'function_call_output', call_id: 'f1', output: 'text' },
  { role: 'assistant', content: [{ type: 'output_text', text: 'The file is short.' }] },
];
const neutral = [
  { type: 'user', text: 'go' },
  { type: 'call', tool: 'Write', arguments: { file_path: 'a' }, result: 'ok' },
  { type: 'submit', claim: 'completion' },
  { type: 'call', id: 'r', tool: 'Read', arguments: { file_path: 'a' } },
  { type: 'result', id: 'r', result: 'text' },
  { type: 'submit', claim: { type: 'completion' } },
  { type: 'other' },
];
const lines = (items: readonly unknown[]): string => items.map((item) => JSON.stringify(item)).join('\n');
const gate = createGate({ preset: 'coding' });

describe('readTrace and replayTrace', () => {
  it.each([
    ['claude-code', lines(claude), ['accepted']],
    ['openai', JSON.stringify(openai), ['refused']],
    ['openai', JSON.stringify({ messages: openai }), ['refused']],
    ['openai', lines(responses), ['accepted']],
    ['anthropic', JSON.stringify(anthropic), []],
    ['neutral', lines(neutral), ['refused', 'accepted']],
  ] as const)('understand %s', (format, text, verdicts) => {
    const trace = readTrace(text);
    expect(trace.format).toBe(format);
    const report = replayTrace(gate, trace);
    expect(report.steps.flatMap((step) => (step.verdict === undefined ? [] : [step.verdict.type]))).toEqual(verdicts);
  });

  it('leave out what subagents did', () => {
    expect(readTrace(lines(claude)).events.filter((event) => event.type === 'call')).toHaveLength(2);
  });

  it('print each step, what is open and the verdict', () => {
    const text = renderReplay(replayTrace(gate, readTrace(lines(neutral))));
    expect(text).toContain('call call-1 Write: write');
    expect(text).toContain('open: call-1 a');
    expect(text).toContain('claim completion: refused');
    expect(text).toContain('next: look at a with Read {"file_path":"a"}');
    expect(text).toContain('2 claims, 1 refused, 1 items skipped');
  });

  it('let no control character of a trace through to the terminal', () => {
    const trace = lines([{ type: 'call', tool: 'x\u001b[2J\u202e', arguments: {}, result: 'ok' }]);
    expect(renderReplay(replayTrace(gate, readTrace(trace)))).not.toMatch(/[\p{Cf}]|\p{Cc}(?<!\n)/u);
  });

  it('refuse what is no trace', () => {
    expect(() => readTrace('{"a":1}\nnot json')).toThrow('line 2 of the trace is not JSON');
    expect(() => readTrace('{"a":1}')).toThrow('nothing in the trace is recognised');
    expect(readTrace('').events).toEqual([]);
  });
});
