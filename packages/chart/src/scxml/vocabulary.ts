export { SCXML_NAMESPACE } from '../vt.ts';

/** Where the standard has no states, they are read all the same: what nests wrongly is told with everything else. */
const STATES = ['state', 'parallel', 'final', 'history'];

/** Attributes and children of each element (standard, chapters 3 to 6). */
export const vocabulary: Readonly<
  Record<string, { readonly attributes: readonly string[]; readonly children: readonly string[] }>
> = {
  scxml: {
    attributes: ['initial', 'name', 'version', 'datamodel', 'binding'],
    children: [...STATES, 'datamodel', 'script'],
  },
  state: {
    attributes: ['id', 'initial'],
    children: [...STATES, 'onentry', 'onexit', 'transition', 'initial', 'datamodel', 'invoke'],
  },
  parallel: {
    attributes: ['id'],
    children: [...STATES, 'onentry', 'onexit', 'transition', 'datamodel', 'invoke'],
  },
  final: { attributes: ['id'], children: [...STATES, 'onentry', 'onexit', 'donedata', 'transition', 'invoke'] },
  history: { attributes: ['id', 'type'], children: [...STATES, 'onentry', 'onexit', 'transition', 'invoke'] },
  initial: { attributes: [], children: ['transition'] },
  transition: { attributes: ['event', 'cond', 'target', 'type'], children: ['*'] },
  onentry: { attributes: [], children: ['*'] },
  onexit: { attributes: [], children: ['*'] },
  datamodel: { attributes: [], children: ['data'] },
  data: { attributes: ['id', 'src', 'expr'], children: [] },
  donedata: { attributes: [], children: ['content', 'param'] },
  content: { attributes: ['expr'], children: ['scxml'] },
  param: { attributes: ['name', 'expr', 'location'], children: [] },
  invoke: {
    attributes: ['type', 'typeexpr', 'src', 'srcexpr', 'id', 'idlocation', 'namelist', 'autoforward'],
    children: ['param', 'finalize', 'content'],
  },
  finalize: { attributes: [], children: ['*'] },
  raise: { attributes: ['event'], children: [] },
  if: { attributes: ['cond'], children: ['*', 'elseif', 'else'] },
  elseif: { attributes: ['cond'], children: [] },
  else: { attributes: [], children: [] },
  foreach: { attributes: ['array', 'item', 'index'], children: ['*'] },
  log: { attributes: ['label', 'expr'], children: [] },
  assign: { attributes: ['location', 'expr'], children: [] },
  send: {
    attributes: [
      'event',
      'eventexpr',
      'target',
      'targetexpr',
      'type',
      'typeexpr',
      'id',
      'idlocation',
      'delay',
      'delayexpr',
      'namelist',
    ],
    children: ['param', 'content'],
  },
  cancel: { attributes: ['sendid', 'sendidexpr'], children: [] },
  script: { attributes: ['src'], children: [] },
};

/** Elements that may stand where the vocabulary says `*`. */
export const executable = new Set(['raise', 'if', 'foreach', 'log', 'assign', 'send', 'cancel', 'script']);

/** Elements whose content is a value, XML in them text; that of `content` may also be a chart. */
export const holdsValues: ReadonlySet<string> = new Set(['assign', 'data', 'content']);
