import type { DocumentFault } from '@warrant/core/documents';
import { parseDocument } from '@warrant/core/documents';
import { jsonObjectSchema } from '@warrant/core/schemas';
import * as z from 'zod';

const level = z.int().min(0).max(4);
const proposedLevel = z.strictObject({ level, properties: jsonObjectSchema });

const candidate = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('existence'), name: z.string(), identity: proposedLevel.nullable().default(null) }),
  z.strictObject({ type: z.literal('depth'), concept: z.string(), levels: z.array(proposedLevel) }),
  z.strictObject({
    type: z.literal('relational'),
    source: z.string(),
    target: z.string(),
    levels: z.array(proposedLevel),
  }),
  z.strictObject({
    type: z.literal('reachability'),
    concept: z.string(),
    source: z.string(),
    target: z.string(),
    relation: z.string(),
    sourceDepth: level,
    targetDepth: level,
  }),
]);

/** A file of lessons: for some concepts, what closes the gaps of their check. */
const lessonsDocument = z.strictObject({
  format: z.literal('warrant.learn/1'),
  lessons: z.array(
    z.strictObject({
      concepts: z.array(z.string()).min(1),
      minDepth: level.optional(),
      candidates: z.array(candidate).min(1),
    }),
  ),
});

export type Lesson = z.output<typeof lessonsDocument>['lessons'][number];
export type LessonCandidate = Lesson['candidates'][number];

export function parseLessons(
  file: string,
  text: Uint8Array,
): { readonly lessons: readonly Lesson[]; readonly faults: readonly DocumentFault[] } {
  const parsed = parseDocument({ file, text }, lessonsDocument);
  return parsed.type === 'ok' ? { lessons: parsed.value.lessons, faults: [] } : { lessons: [], faults: parsed.faults };
}
