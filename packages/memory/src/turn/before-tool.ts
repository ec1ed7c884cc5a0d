import type { Actor } from '../actor.ts';
import { noticeLines, quoteItem } from '../recall-labels.ts';
import { type Recall, retrieve } from '../retrieve.ts';
import type { Setup } from '../setup.ts';
import { type CallInput, entitiesOfCall } from './call-entities.ts';

export type BeforeToolRequest = CallInput & {
  readonly session: string;
  /** @default 5 */
  readonly limit?: number;
  /** @default no limit */
  readonly budgetTokens?: number;
  readonly directories?: readonly string[];
};
export type ToolContext = {
  /** `null` when nothing is remembered about what the call touches. */
  readonly text: string | null;
  /** What the call touches, and what the records found speak of; hand it to `finalizeTurn`. */
  readonly entities: readonly string[];
  readonly recall: Recall | null;
};

/** What is remembered about the files and models that a call is about to touch. */
export async function beforeTool(setup: Setup, actor: Actor, request: BeforeToolRequest): Promise<ToolContext> {
  const touched = entitiesOfCall(request);
  if (touched.length === 0) return { text: null, entities: [], recall: null };
  const { session, limit = 5, budgetTokens, directories = [] } = request;
  const options = { session, limit, directories, ...(budgetTokens === undefined ? {} : { budgetTokens }) };
  const recall = await retrieve(setup, actor, { query: '', entities: touched, ...options });
  if (recall.items.length === 0) return { text: null, entities: touched, recall };
  const lines = [...noticeLines(recall), ...recall.items.map(quoteItem)];
  const near = recall.items.flatMap(({ record }) => record.entities);
  return {
    text: ['<warrant-memory>', ...lines, '</warrant-memory>'].join('\n'),
    entities: [...new Set([...touched, ...near])],
    recall,
  };
}
