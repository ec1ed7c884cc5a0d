import * as z from 'zod';
import type { Entry, Recorded, Snapshot } from '../journal.ts';
import { count, digestSchema, json, name, text, time } from './values.ts';

const entry = {
  id: name,
  type: name,
  data: json,
  schemaVersion: count,
  causationId: text.exactOptional(),
  correlationId: text.exactOptional(),
  agentId: text.exactOptional(),
  subject: text.exactOptional(),
};

export const entrySchema: z.ZodType<Entry> = z
  .strictObject(entry)
  .meta({ id: 'Entry', description: 'What is appended to a stream' });
export const recordedSchema: z.ZodType<Recorded> = z
  .strictObject({
    ...entry,
    stream: name,
    position: z.int().min(1),
    cursor: text,
    time,
    previous: digestSchema,
    digest: digestSchema,
    sealed: text.exactOptional(),
  })
  .meta({ id: 'Recorded', description: 'An entry as it stands in its stream' });
export const snapshotSchema: z.ZodType<Snapshot> = z
  .strictObject({ stream: name, position: count, entry: digestSchema, program: digestSchema, state: json })
  .meta({ id: 'Snapshot', description: 'What folding a stream up to a position gave' });
