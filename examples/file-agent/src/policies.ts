/** What a person who owns the folder wrote: one hard block, one question. */
export function policyFile(folder: string): string {
  return `format: warrant.policy/1
policies:
  - key: protected-stays
    description: The ledger is kept by law.
    source: delete
    target: file
    sourceDepth: 3
    blockWhen: within(call.arguments.path, '${folder}/protected')
    message: Files below protected/ are never deleted.
  - key: overwriting-asks
    source: write
    target: file
    sourceDepth: 2
    confirmWhen: call.tool == 'overwrite_file'
    message: The old content will be gone.
`;
}
