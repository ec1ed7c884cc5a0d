import type { Cancel } from './cancel.ts';
import type { ActorKey, Digest, Json, JsonObject } from './json.ts';

export type Question = {
  readonly id: string;
  readonly kind: 'confirmation' | 'review' | 'decision';
  readonly subject: Digest;
  readonly title: string;
  readonly details: JsonObject;
  readonly choices: readonly string[];
  /** JSON Schema of the data that goes with a choice. */
  readonly payloads?: { readonly [choice: string]: JsonObject };
  /** One vote a person over all questions of a group (quorum). */
  readonly group?: string;
  readonly askedBy: ActorKey;
  readonly expiresAt: string | null;
};
export type Answer = {
  readonly questionId: string;
  readonly subject: Digest;
  readonly choice: string;
  readonly answeredBy: ActorKey;
  readonly answeredAt: string;
  readonly payload?: Json;
  readonly reason?: string;
};
export interface Inbox {
  /** `known`: a question with this subject is open already. */
  ask(question: Question, options?: Cancel): Promise<{ readonly type: 'asked' | 'known'; readonly question: Question }>;
  pending(options?: { readonly kind?: Question['kind'] } & Cancel): Promise<readonly Question[]>;
  /** `forbidden`: nobody answers their own question. */
  answer(
    answer: Answer,
  ): Promise<{ readonly type: 'answered' | 'already-answered' | 'expired' | 'unknown' | 'mismatch' | 'forbidden' }>;
  wait(
    id: string,
    options?: Cancel,
  ): Promise<{ readonly type: 'answered'; readonly answer: Answer } | { readonly type: 'expired' | 'withdrawn' }>;
  withdraw(id: string, reason: string): Promise<{ readonly type: 'withdrawn' | 'already-answered' | 'unknown' }>;
  /** Atomic, once. `by` is the call's id: a retry of that call gets its own answer again. */
  consume(
    subject: Digest,
    options: { readonly by: string },
  ): Promise<
    | { readonly type: 'consumed'; readonly answer: Answer }
    | { readonly type: 'none' }
    | { readonly type: 'pending'; readonly question: Question }
  >;
}
