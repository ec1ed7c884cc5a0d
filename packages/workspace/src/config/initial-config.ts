/** The text of a new `warrant.yaml`: what people change first, with the rest at its defaults. */
export function initialConfig(options: { readonly enforce: boolean; readonly policies: readonly string[] }): string {
  return [
    '# Settings of this Warrant workspace; every key and its default: schema/warrant.schema.json of @warrant/workspace.',
    'format: warrant.workspace/1',
    '',
    '# Who acts here, and who answers questions on this command line.',
    'agent: agent',
    'person: person',
    '',
    '# false: nothing is refused; what would have been is recorded, and `warrant graph draft` turns it into a graph to edit.',
    `enforce: ${options.enforce}`,
    '',
    'policy:',
    '  # Files of policies, relative to this folder.',
    `  files: [${options.policies.join(', ')}]`,
    '',
  ].join('\n');
}
