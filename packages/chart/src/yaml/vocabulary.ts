/** Headers of the YAML surface: ours, and the one that charts of the Vertep family carry. */
export const FORMAT = 'warrant.chart/1';
export const VERTEP_VERSION = 1;

/** Extensions without a namespace belong here. */
export { VT_NAMESPACE as EXTENSION_NAMESPACE } from '../vt.ts';

const chart = ['name', 'datamodel', 'binding', 'initial', 'data', 'states', 'extensions'] as const;

/** Keys of each map of the surface; SCXML's own words, `do` for executable content. */
export const keys = {
  document: ['format', 'vertep', ...chart],
  chart,
  state: [
    'id',
    'type',
    'history',
    'initial',
    'default',
    'entry',
    'exit',
    'always',
    'on',
    'transitions',
    'data',
    'invoke',
    'donedata',
    'states',
    'extensions',
  ],
  transition: ['event', 'cond', 'target', 'type', 'do', 'extensions'],
  send: [
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
    'params',
    'content',
    'extensions',
  ],
  raise: ['event', 'extensions'],
  cancel: ['sendid', 'sendidexpr', 'extensions'],
  assign: ['location', 'expr', 'value', 'extensions'],
  log: ['label', 'expr', 'extensions'],
  foreach: ['array', 'item', 'index', 'do', 'extensions'],
  if: ['if', 'do', 'elseif', 'else', 'extensions'],
  elseif: ['cond', 'do'],
  param: ['name', 'expr', 'location', 'extensions'],
  content: ['expr', 'value', 'extensions'],
  invokeContent: ['expr', 'value', 'chart', 'extensions'],
  data: ['id', 'expr', 'value', 'src', 'extensions'],
  donedata: ['params', 'content', 'extensions'],
  invoke: [
    'type',
    'typeexpr',
    'src',
    'srcexpr',
    'id',
    'idlocation',
    'namelist',
    'autoforward',
    'params',
    'content',
    'finalize',
    'extensions',
  ],
  extension: ['namespace', 'local', 'attribute', 'attributes', 'children'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
