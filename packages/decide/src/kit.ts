import type { Annotations, Decider, Decision, Grant, Labels, Provider, Tool } from '@warrant/core';
import type { AgentMachineOptions } from './machine/machine.ts';

/** A chart that may run as an agent, and what it may reach. */
export type AgentDefinition = AgentMachineOptions & {
  /** What `spawn` calls it. */
  readonly name: string;
  /** @default the registered tools, all bound deciders, and no actor */
  readonly grant?: Partial<Grant>;
  /** Questions that one decide state may ask over an actor's life. @default three times its maxDecisions, else 100 */
  readonly maxAsks?: number;
};

/** Everything outside that agents of one host may use, by name. */
export type AgentKit = {
  readonly agents: readonly AgentDefinition[];
  readonly deciders?: Readonly<Record<string, Decider>>;
  readonly providers?: Readonly<Record<string, Provider>>;
  readonly tools?: readonly AgentTool[];
  /** What `{ "$secret": "name" }` in a tool's arguments stands for; asked for right before the call, never recorded. One that throws refuses. */
  readonly secrets?: Readonly<Record<string, (use: SecretUse) => string | Promise<string>>>;
};

/** What a secret is asked for: whoever keeps it may give it to one tool only, or not for arguments that a model made up. */
export type SecretUse = { readonly tool: string; readonly labels: Labels };

/** A tool as models are told of it. */
export type AgentTool = Tool & { readonly description?: string };

/** A refusal may say what was spent on it. */
export type DeciderAnswer =
  | Decision
  | { readonly type: 'refusal'; readonly reason: string; readonly annotations?: Annotations };
