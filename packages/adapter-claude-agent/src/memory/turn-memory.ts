/** Where and for whom memory is used. */
export type MemoryScene = {
  readonly session: string;
  /** Key of the agent that acts. */
  readonly agent: string;
  readonly directory: string;
};

/** The part of memory that a client's turns need. `createTurnMemory` makes one of an agent's handle. */
export interface TurnMemory {
  /** A session begins for an agent. */
  conversationStarted?(scene: MemoryScene): Promise<void>;
  /** What is recalled for a prompt, as a quoted block; null for nothing. */
  prepareTurn(scene: MemoryScene & { readonly query: string }): Promise<string | null>;
  /** What is known of things that a call is about to touch. */
  entityContext(scene: MemoryScene & { readonly entities: readonly string[] }): Promise<string | null>;
  /** A turn has ended. The response is the agent's own words, never what was recalled. */
  finalizeTurn(
    scene: MemoryScene & {
      /** The prompt that the turn began with, as far as it is kept. */
      readonly query: string;
      readonly response: string;
      readonly entities: readonly string[];
      readonly outcome: 'verified' | 'unverified' | 'none';
    },
  ): Promise<void>;
  /** Keeps a line of the conversation, where that is wanted; secrets in it are replaced already. */
  captureLine?(
    scene: MemoryScene & { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string },
  ): Promise<void>;
  /** Keeps which files the tracked directories hold, where that is wanted. */
  captureFiles?(scene: MemoryScene): Promise<void>;
  /** What must survive a compaction. */
  pinned(scene: MemoryScene): Promise<readonly string[]>;
}
