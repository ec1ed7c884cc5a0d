import { cutText } from '../cut-text.ts';
import { sceneOf } from '../handlers/common.ts';
import type { HookEvent } from '../hook-event.ts';
import type { Setup } from '../settings.ts';

/** Characters of one captured text; of a longer one beginning and end are kept. */
const LONGEST = 16_000;

/** Keeps what was said, where that is wanted. Subagents talk to their agent: what they say is its result. The text is made only to be kept. */
export async function captureLine(
  setup: Setup,
  event: HookEvent,
  role: 'user' | 'assistant' | 'tool',
  text: () => string,
): Promise<void> {
  const { memory } = setup.options;
  if (memory?.captureLine === undefined || event.agent !== null) return;
  const kept = cutText(text(), LONGEST);
  if (kept === '') return;
  try {
    await memory.captureLine({ ...sceneOf(setup, event), role, text: kept });
  } catch (error) {
    setup.report('capture', error);
  }
}

/** Keeps which files the tracked directories hold, where that is wanted. */
export async function captureFiles(setup: Setup, event: HookEvent): Promise<void> {
  const { memory } = setup.options;
  if (memory?.captureFiles === undefined || event.agent !== null) return;
  try {
    await memory.captureFiles(sceneOf(setup, event));
  } catch (error) {
    setup.report('capture', error);
  }
}
