import { clipText } from '@warrant/core';
import type { GateEvent } from '@warrant/submit-gate';
import type { HookAnswer, HookEventOf } from '../hook-event.ts';
import { seenValues } from '../labels/seen-values.ts';
import { captureLine } from '../memory/capture.ts';
import { openObligations, type SessionState } from '../session-state.ts';
import type { Setup } from '../settings.ts';
import { applyOnce } from './apply.ts';
import { sceneOf } from './common.ts';

const LONGEST = 4_000;
const LONGEST_QUERY = 1_000;

/** A person speaks: a new turn. What is open stays open, and is told again. */
export async function promptSubmitted(setup: Setup, event: HookEventOf<'prompt-submitted'>): Promise<HookAnswer> {
  const prompt = setup.replace(event.text);
  let first = true;
  const told = await applyOnce(setup, event, (state, { how }) => {
    first = how !== 'other';
    // Whether the last end was judged, the hook before this one knew.
    if (!first) return { state, steps: [], value: unverifiedText(setup, { ...state, judged: true }) };
    const { gate, step } = beginTurn(setup, state, clipText(prompt, LONGEST));
    const after: SessionState = {
      ...state,
      gate,
      calls: 0,
      blocks: 0,
      judged: false,
      query: clipText(prompt, LONGEST_QUERY),
      entities: [],
      approved: [],
      ...(setup.reference ? { exitedUnverified: false, judged: true } : {}),
    };
    return {
      state: after,
      steps: step,
      seen: setup.reference || !event.human ? {} : { human: seenValues(prompt, { words: true }).hashes },
      value: unverifiedText(setup, state),
    };
  });
  if (told === null) return {};
  if (!first) return told === '' ? {} : { context: told };
  await captureLine(setup, event, event.human ? 'user' : 'tool', () => prompt);
  const recalled = await recall(setup, event, prompt);
  const context = [told, recalled].filter((part) => part !== null && part !== '').join('\n\n');
  return context === '' ? {} : { context };
}

function beginTurn(
  setup: Setup,
  state: SessionState,
  message: string,
): { readonly gate: SessionState['gate']; readonly step: readonly GateEvent[] } {
  if (!setup.gates) return { gate: state.gate, step: [] };
  if (setup.reference) return { gate: setup.gate.beginTurn(state.gate), step: [{ type: 'turn-began' }] };
  return { gate: setup.gate.beginTurn(state.gate, message), step: [{ type: 'turn-began', message }] };
}

function unverifiedText(setup: Setup, state: SessionState): string {
  if (!setup.gates || setup.reference || setup.mode === 'observe') return '';
  const open = openObligations(state);
  const left = open.length > 0 ? open : state.exitedUnverified ? state.unverified : [];
  if (left.length === 0) return '';
  const why = state.judged ? '' : ' (the end of the last turn was not judged)';
  return [
    `Unverified from earlier${why}; nobody has looked at this since it was changed:`,
    ...left.slice(0, 8).map((one) => `- ${one}`),
  ].join('\n');
}

async function recall(setup: Setup, event: HookEventOf<'prompt-submitted'>, query: string): Promise<string | null> {
  const { memory } = setup.options;
  if (memory === undefined) return null;
  try {
    return await memory.prepareTurn({ ...sceneOf(setup, event), query });
  } catch (error) {
    setup.report('memory', error);
    return null;
  }
}
