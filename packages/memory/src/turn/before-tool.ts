import type { Actor } from '../actor.ts';
import { noticeLines, quoteItem } from '../recall-labels.ts';
import { type Recall, retrieve } from '../retrieve.ts';
import type { Setup } from '../setup.ts';
import { MAX_LIST } from '../write-request.ts';
import { type CallInput, entitiesOfCall } from './call-entities.ts';
import { lineTokens, quotedCost } from './line-tokens.ts';

export type BeforeToolRequest = CallInput & {
  readonly session: string;
  /** @default 5 */
  readonly limit?: number;
  /** Most tokens of the text, but for notices, which are given whatever it is. @default no limit */
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

const BEGIN = '<warrant-memory>';
const END = '</warrant-memory>';

/** What is remembered about the files and models that a call is about to touch. */
export async function beforeTool(setup: Setup, actor: Actor, request: BeforeToolRequest): Promise<ToolContext> {
  const touched = entitiesOfCall(request);
  if (touched.length === 0) return { text: null, entities: [], recall: null };
  const { session, limit = 5, budgetTokens, directories = [] } = request;
  const frame = lineTokens(setup, BEGIN) + lineTokens(setup, END);
  const room = budgetTokens === undefined ? {} : { budgetTokens: Math.max(1, budgetTokens - frame) };
  const asked = { query: '', entities: touched, session, limit, directories, ...room };
  const recall = await retrieve(setup, actor, asked, quotedCost(setup));
  if (recall.items.length === 0) return { text: null, entities: touched, recall };
  const lines = [...noticeLines(recall), ...recall.items.map(quoteItem)];
  const near = recall.items.flatMap(({ record }) => record.entities);
  return {
    text: [BEGIN, ...lines, END].join('\n'),
    entities: [...new Set([...touched, ...near])].slice(0, MAX_LIST),
    recall,
  };
}
