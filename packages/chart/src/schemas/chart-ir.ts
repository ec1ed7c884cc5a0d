import * as z from 'zod';

/** Every schema is of one part of the form, so that editors and errors can name it. */
const name = z.string().min(1);
const json = z.json();

type Part = z.ZodType;

const extension: Part = z
  .lazy(() =>
    z.union([
      z.strictObject({ namespace: z.string(), local: name, attribute: z.string() }),
      z.strictObject({
        namespace: z.string(),
        local: name,
        attributes: z.record(z.string(), z.string()),
        children: z.array(z.union([z.string(), extension])),
      }),
    ]),
  )
  .meta({ id: 'extension', description: 'An attribute or element of another namespace, kept as it is' });

const extensions = z.array(extension).optional();
const text = z.string();

const param = z.strictObject({ name, expr: text.optional(), location: text.optional(), extensions });
const content = z.union([z.strictObject({ expr: text, extensions }), z.strictObject({ value: json, extensions })]);
const message = {
  namelist: z.array(name).optional(),
  params: z.array(param).optional(),
};

const block: Part = z
  .lazy(() => z.array(action))
  .meta({ id: 'block', description: 'Executable content; an error ends the block' });

const branch = z.strictObject({ cond: text.optional(), content: block });

const action: Part = z
  .lazy(() =>
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('raise'), event: name, extensions }),
      z.strictObject({
        type: z.literal('send'),
        event: text.optional(),
        eventExpr: text.optional(),
        target: text.optional(),
        targetExpr: text.optional(),
        processor: text.optional(),
        processorExpr: text.optional(),
        id: name.optional(),
        idLocation: text.optional(),
        delay: text.optional(),
        delayExpr: text.optional(),
        ...message,
        content: content.optional(),
        extensions,
      }),
      z.strictObject({ type: z.literal('cancel'), sendId: text.optional(), sendIdExpr: text.optional(), extensions }),
      z.strictObject({
        type: z.literal('assign'),
        location: text,
        expr: text.optional(),
        value: json.optional(),
        extensions,
      }),
      z.strictObject({ type: z.literal('log'), label: text.optional(), expr: text.optional(), extensions }),
      z.strictObject({ type: z.literal('if'), branches: z.array(branch).min(1), extensions }),
      z.strictObject({
        type: z.literal('foreach'),
        array: text,
        item: text,
        index: text.optional(),
        content: block,
        extensions,
      }),
      z.strictObject({ type: z.literal('extension'), extensions }),
    ]),
  )
  .meta({ id: 'action', description: 'One step of executable content' });

const transition = z
  .strictObject({
    events: z.array(name).describe('Event descriptors; empty for a transition that waits for no event'),
    cond: text.optional(),
    targets: z.array(name),
    type: z.enum(['internal', 'external']),
    content: block,
    extensions,
  })
  .meta({ id: 'transition', description: 'A way from one state to others' });

const dataItem = z
  .strictObject({ id: name, expr: text.optional(), value: json.optional(), src: text.optional(), extensions })
  .meta({ id: 'data-item', description: 'A named value, by expression, as it is, or from a source' });

const chart: Part = z.lazy(() => chartIrSchema);

const invoke = z
  .strictObject({
    processor: text.optional(),
    processorExpr: text.optional(),
    src: text.optional(),
    srcExpr: text.optional(),
    id: name.optional(),
    idLocation: text.optional(),
    ...message,
    autoforward: z.boolean(),
    content: z.union([content, z.strictObject({ chart })]).optional(),
    finalize: block.optional(),
    extensions,
  })
  .meta({ id: 'invoke', description: 'A service that runs while its state is active' });

const state: Part = z
  .lazy(() =>
    z.strictObject({
      type: z.enum(['state', 'parallel', 'final', 'history']),
      id: name.optional(),
      initial: z.union([z.array(name), transition]).optional(),
      history: z.enum(['shallow', 'deep']).optional(),
      transitions: z.array(transition),
      onEntry: z.array(block),
      onExit: z.array(block),
      data: z.array(dataItem),
      invokes: z.array(invoke),
      states: z.array(state),
      doneData: z
        .strictObject({ params: z.array(param).optional(), content: content.optional(), extensions })
        .optional(),
      extensions,
    }),
  )
  .meta({ id: 'state', description: 'A state, a parallel, a final or a history' });

/** The JSON form of a chart. */
export const chartIrSchema = z
  .strictObject({
    name: text.optional(),
    datamodel: z.enum(['cel', 'null']),
    binding: z.enum(['early', 'late']),
    initial: z.array(name).optional(),
    data: z.array(dataItem),
    states: z.array(state),
    extensions,
  })
  .meta({ id: 'chart', description: 'A statechart after W3C SCXML 1.0, as plain JSON' });
