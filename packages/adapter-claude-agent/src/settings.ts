import { type Entry, WarrantError } from '@warrant/core';
import type { SharedGuardOptions } from '@warrant/policy';
import { createGate, type GateConfig, type SubmitGate } from '@warrant/submit-gate';
import { codingGate } from './coding-gate.ts';
import type { TurnMemory } from './memory/turn-memory.ts';
import { isMode, type Mode } from './mode.ts';
import type { ReadingOptions } from './read-call.ts';
import type { SessionKey, SessionStore } from './session-store.ts';
import { type ExtractorRule, type NormalizerRule, textRules } from './text-rules.ts';

/** A second look at a claim that would pass: 0 to 1, or null to abstain. */
export type ClaimVerifier = (question: {
  readonly claim: { readonly type: string; readonly text?: string };
  readonly criteria: readonly string[];
  readonly callIds: readonly string[];
}) => Promise<number | null>;

/** Bounds of a subagent; what is left out is not bounded. */
export type SubagentRights = {
  /** Tools by pattern. */
  readonly tools?: readonly string[];
  /** Concepts that its calls may touch. */
  readonly concepts?: readonly string[];
};

/** What the hooks of one client are made of. Each layer may be left out. */
export type ClaudeOptions = ReadingOptions & {
  /** What happens where a layer refuses. @default 'enforce' */
  readonly mode?: Mode;
  /** Grounding and policies, as `guard` takes them. Without it no call is judged. */
  readonly guard?: Omit<
    SharedGuardOptions,
    'enforce' | 'wait' | 'journal' | 'session' | 'stream' | 'effects' | 'onPolicy'
  >;
  /** The gate before the end of a turn; `false` for none. @default the coding gate */
  readonly gate?: GateConfig | false;
  /** What of tools' answers does not make them new, for the coding gate. */
  readonly normalizers?: readonly NormalizerRule[];
  /** What in tools' answers names what they looked at, for the coding gate. */
  readonly extractors?: readonly ExtractorRule[];
  readonly memory?: TurnMemory;
  readonly store: SessionStore;
  /** Who is asked: the client, or the inbox of `guard`. @default 'client' */
  readonly ask?: 'client' | 'inbox';
  /** How long an answer from the inbox is waited for, in milliseconds; below the client's limit for a hook. @default 50000 */
  readonly askTimeoutMs?: number;
  /** Ends of a turn that are refused before it is let go, marked as unverified. 0 to 8. @default 3 */
  readonly maxBlocks?: number;
  /** The client's own limit of refused ends, from 1: ours end before it. @default none */
  readonly blockCap?: number | undefined;
  /** Whether subagents may be held at their end as well. @default false */
  readonly gateSubagents?: boolean;
  /** What subagents may do, by their kind; `*` for the others. A child never has more than who called it. */
  readonly subagents?: { readonly [kind: string]: SubagentRights };
  /**
   * The records of a session in their order; those of others may be among them. Asked only where what is kept of the session
   * cannot be gone on from. @default none: then only how much is open can be said
   */
  readonly history?: (key: SessionKey) => Promise<readonly Entry[]>;
  /** The session that one without a past goes on from. */
  readonly forkOf?: string;
  readonly verifier?: ClaimVerifier;
  /** Confidence below which the verifier refuses, 0 to 1, for the coding gate. @default 0.5 */
  readonly verifierThreshold?: number;
  /** Tells the model after each call how much of its budget is left. @default false */
  readonly emitProgress?: boolean;
  /** Paths that are staged in a folder, for what memory knows of them at a commit. @default none */
  readonly staged?: (directory: string) => readonly string[];
  /** `reference` takes every difference to the reference adapter back. @default 'default' */
  readonly profile?: 'default' | 'reference';
  /** Told of what was swallowed. */
  readonly onReport?: (report: { readonly what: string; readonly error: unknown }) => void;
};

/** Options with their defaults, checked once. */
export type Setup = {
  readonly options: ClaudeOptions;
  readonly mode: Mode;
  readonly ask: 'client' | 'inbox';
  readonly askTimeoutMs: number;
  readonly gate: SubmitGate;
  readonly gates: boolean;
  readonly maxBlocks: number;
  readonly reference: boolean;
  readonly staged: (directory: string) => readonly string[];
  readonly replace: <T>(value: T) => T;
  readonly report: (what: string, error: unknown) => void;
};

const MOST_BLOCKS = 8;

/** @throws CLAUDE_OPTIONS_INVALID, SUBMIT_GATE_CONFIG_INVALID */
export function createSetup(options: ClaudeOptions): Setup {
  const { mode = 'enforce', ask = 'client', askTimeoutMs = 50_000, maxBlocks = 3, onReport } = options;
  if (!isMode(mode)) throw wrong('mode', 'a mode is observe, ask or enforce');
  if (ask !== 'client' && ask !== 'inbox') throw wrong('ask', 'who is asked is client or inbox');
  if (ask === 'inbox' && options.guard?.inbox === undefined)
    throw wrong('ask', 'asking the inbox needs a guard that has one');
  if (!Number.isInteger(maxBlocks) || maxBlocks < 0 || maxBlocks > MOST_BLOCKS) {
    throw wrong('maxBlocks', `maxBlocks is 0 to ${MOST_BLOCKS}: the client overrides more`);
  }
  const secrets = options.guard?.secrets;
  return {
    options,
    mode,
    ask,
    askTimeoutMs,
    gate: createGate(options.gate === false || options.gate === undefined ? defaultGate(options) : options.gate),
    gates: options.gate !== false,
    maxBlocks: options.blockCap === undefined ? maxBlocks : Math.min(maxBlocks, Math.max(0, options.blockCap - 1)),
    reference: options.profile === 'reference',
    staged: (directory) => {
      try {
        return options.staged?.(directory) ?? [];
      } catch (error) {
        onReport?.({ what: 'staged', error });
        return [];
      }
    },
    replace: secrets === undefined ? (value) => value : (value) => secrets.replace(value as never) as typeof value,
    report: (what, error) => onReport?.({ what, error }),
  };
}

function defaultGate(options: ClaudeOptions): GateConfig {
  const { normalizers = [], extractors = [], verifier, verifierThreshold: threshold } = options;
  return codingGate(options, {
    ...textRules(normalizers, extractors),
    ...(verifier === undefined ? {} : { verifier: threshold === undefined ? {} : { threshold } }),
  });
}

function wrong(option: string, message: string): WarrantError {
  return new WarrantError('CLAUDE_OPTIONS_INVALID', message, { data: { option } });
}
