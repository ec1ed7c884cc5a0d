import type { JsonObject } from '@warrant/core';

const name = '^[A-Za-z0-9_][A-Za-z0-9_.+-]*$';
const option =
  '-[^\\s,:=?]*(,-[^\\s,:=?]*)*[=?]?(:(none|read|write|write-null|delete|aside|change|unknown|pattern|network))?';

const entry: JsonObject = {
  class: { enum: ['read', 'write', 'unknown'], description: 'What a call is at least; unknown ends the analysis.' },
  operands: {
    enum: ['ignored', 'reads', 'writes', 'deletes', 'pattern', 'copy', 'move', 'link', 'somewhere', 'change'],
    description: 'What the operands are to the program. Default: ignored.',
  },
  options: {
    type: 'string',
    pattern: `^( |${option}(?= |$))*$`,
    description: 'Options with an argument (=), an optional one (?) or an effect: `-o,--output=:write -k,--key=`.',
  },
  strict: { type: 'boolean', description: 'A word that may be an option which nobody knows makes the call unknown.' },
  network: { type: 'boolean', description: 'It surely uses the network.' },
};

/** JSON Schema of the entries under `shell.programs`. Which names may be given is checked by `lintPrograms`. */
export const programsSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Programs that a person teaches',
  type: 'object',
  propertyNames: { pattern: name },
  additionalProperties: {
    type: 'object',
    required: ['class'],
    additionalProperties: false,
    properties: {
      ...entry,
      subcommands: {
        type: 'object',
        description: 'Entries by the first operand; any other one is unknown.',
        propertyNames: { pattern: name },
        additionalProperties: { type: 'object', required: ['class'], additionalProperties: false, properties: entry },
      },
    },
  },
};
