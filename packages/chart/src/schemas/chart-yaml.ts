import * as z from 'zod';

type Part = z.ZodType;

/** Text; numbers and truth values count as their text. */
const text = z.union([z.string(), z.number(), z.boolean()]);
const words = z.union([text, z.array(text)]).describe('Words, apart by spaces or as a list');
const json = z.json();

const extension: Part = z
  .lazy(() =>
    z.strictObject({
      namespace: text.optional().describe('Default: https://w3id.org/vertep/vt#'),
      local: text,
      attribute: text.optional(),
      attributes: z.record(z.string(), text).optional(),
      children: z.array(z.union([text, extension])).optional(),
    }),
  )
  .meta({ id: 'yaml-extension' });

const extensions = z.array(extension).optional();
const params = z
  .array(z.strictObject({ name: text, expr: text.optional(), location: text.optional(), extensions }))
  .optional();
const content = z.strictObject({ expr: text.optional(), value: json.optional(), extensions });

const block: Part = z.lazy(() => z.array(action)).meta({ id: 'yaml-block' });

const action: Part = z
  .lazy(() =>
    z.union([
      z.strictObject({ raise: z.union([text, z.strictObject({ event: text, extensions })]) }),
      z.strictObject({
        send: z.strictObject({
          event: text.optional(),
          eventexpr: text.optional(),
          target: text.optional(),
          targetexpr: text.optional(),
          type: text.optional(),
          typeexpr: text.optional(),
          id: text.optional(),
          idlocation: text.optional(),
          delay: text.optional(),
          delayexpr: text.optional(),
          namelist: words.optional(),
          params,
          content: content.optional(),
          extensions,
        }),
      }),
      z.strictObject({
        cancel: z.union([text, z.strictObject({ sendid: text.optional(), sendidexpr: text.optional(), extensions })]),
      }),
      z.strictObject({
        assign: z.strictObject({ location: text, expr: text.optional(), value: json.optional(), extensions }),
      }),
      z.strictObject({
        log: z.union([text, z.strictObject({ label: text.optional(), expr: text.optional(), extensions })]),
      }),
      z.strictObject({
        if: text,
        do: block.optional(),
        elseif: z.array(z.strictObject({ cond: text, do: block.optional() })).optional(),
        else: block.optional(),
        extensions,
      }),
      z.strictObject({
        foreach: z.strictObject({
          array: text,
          item: text,
          index: text.optional(),
          do: block.optional(),
          extensions,
        }),
      }),
      z.strictObject({ extensions }),
    ]),
  )
  .meta({ id: 'yaml-action' });

const blocks = z.union([block, z.array(block)]).optional();

const way = {
  cond: text.optional(),
  target: words.optional(),
  type: z.enum(['internal', 'external']).optional(),
  do: block.optional(),
  extensions,
};
const transition = z.union([text, z.strictObject({ ...way, event: words.optional() })]);
const alternatives = z.union([transition, z.array(transition)]);

const data = z
  .union([
    z.record(z.string(), json),
    z.array(
      z.strictObject({ id: text, expr: text.optional(), value: json.optional(), src: text.optional(), extensions }),
    ),
    z.null(),
  ])
  .optional();

const chartContent: Part = z.lazy(() => z.strictObject(chartKeys));

const invoke = z.strictObject({
  type: text.optional(),
  typeexpr: text.optional(),
  src: text.optional(),
  srcexpr: text.optional(),
  id: text.optional(),
  idlocation: text.optional(),
  namelist: words.optional(),
  autoforward: z.boolean().optional(),
  params,
  content: z
    .strictObject({ expr: text.optional(), value: json.optional(), chart: chartContent.optional(), extensions })
    .optional(),
  finalize: block.optional(),
  extensions,
});

const state: Part = z
  .lazy(() =>
    z.union([
      z.null(),
      z.strictObject({
        id: text.optional().describe('Only where states stand in a list'),
        type: z.enum(['state', 'parallel', 'final', 'history']).optional(),
        history: z.enum(['shallow', 'deep']).optional(),
        initial: z.union([words, z.strictObject(way)]).optional(),
        default: transition.optional().describe('Where a history leads when it remembers nothing'),
        entry: blocks,
        exit: blocks,
        always: alternatives.optional().describe('Transitions that wait for no event'),
        on: z.record(z.string(), alternatives).optional().describe('Transitions by event'),
        transitions: z.array(z.strictObject({ ...way, event: words.optional() })).optional(),
        data,
        invoke: z.union([invoke, z.array(invoke)]).optional(),
        donedata: z.strictObject({ params, content: content.optional(), extensions }).optional(),
        states: states.optional(),
        extensions,
      }),
    ]),
  )
  .meta({ id: 'yaml-state' });

const states: Part = z.lazy(() => z.union([z.record(z.string(), state), z.array(state), z.null()]));

const chartKeys = {
  name: text.optional(),
  datamodel: z.enum(['cel', 'null']).optional(),
  binding: z.enum(['early', 'late']).optional(),
  initial: words.optional(),
  data,
  states: states.optional(),
  extensions,
};

/** The YAML surface of charts, for editors; the reader says more precisely what is wrong. */
export const chartYamlSchema = z
  .union([
    z.strictObject({ format: z.literal('warrant.chart/1'), ...chartKeys }),
    z.strictObject({ vertep: z.literal(1), ...chartKeys }),
  ])
  .meta({ id: 'chart-yaml', description: 'A statechart in YAML' });
