import type { GuardOutcome } from '@warrant/core';
import { toolResult } from '@warrant/policy';

export type ToolRequest = { readonly tool: string; readonly path: string };
export type Message = { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string };

/** Sees the whole conversation, and asks for a tool or says that it is done. */
export type Model = (messages: readonly Message[]) => ToolRequest | { readonly done: string };
export type Tools = { readonly [name: string]: (path: string) => Promise<GuardOutcome<unknown>> };

/** Runs the model until it is done. A refusal is an answer like any other: nothing is thrown. */
export async function toolLoop(model: Model, tools: Tools, task: string, maxTurns = 10): Promise<readonly Message[]> {
  const messages: Message[] = [{ role: 'user', text: task }];
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const next = model(messages);
    if ('done' in next) return [...messages, { role: 'assistant', text: next.done }];
    const tool = tools[next.tool];
    const text = tool === undefined ? `There is no tool ${next.tool}.` : toolResult(await tool(next.path));
    messages.push({ role: 'assistant', text: `${next.tool}(${next.path})` }, { role: 'tool', text });
  }
  return messages;
}
