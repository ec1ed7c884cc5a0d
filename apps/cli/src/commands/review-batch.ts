import { type Proposal, WarrantError } from '@warrant/core';
import { parseYaml } from '@warrant/review-policy/yaml';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { readNamed } from '../cli/read-named.ts';
import { atDesk, type DeskOptions, type ReviewDesk, withDeskOptions } from '../review/desk.ts';
import { readValue, toProposal } from '../review/input.ts';

type Options = DeskOptions & { readonly dryRun?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withDeskOptions(command)
      .argument('<file>', 'proposals: one JSON object a line (.jsonl), or a YAML list')
      .option('--dry-run', 'judge each; nothing is filed'),
  run: (call) =>
    atDesk(call, async (desk) => {
      const records = await readRecords(call.terminal.directory, call.words[0] ?? '');
      const proposals = records.map((record, index) => toOwnProposal(desk, record, index + 1));
      const decisions = await desk.gate.batch(proposals, { dryRun: call.options.dryRun === true });
      const lines = decisions.map(({ proposalId, type, would, rule, reasons }) => {
        const shown = type === 'dry-run' ? `would ${would}` : type;
        return `${proposalId}: ${shown} (${rule ?? 'default'}): ${reasons.map((reason) => reason.message).join('; ')}`;
      });
      print(call, decisions, lines.length === 0 ? 'No proposals.' : lines.join('\n'));
      const isRefused = decisions.some(
        ({ type, would }) => type === 'blocked' || type === 'invalid' || (type === 'dry-run' && would === 'refuse'),
      );
      return isRefused ? exitCodes.no : exitCodes.ok;
    }),
};

async function readRecords(directory: string, file: string): Promise<readonly unknown[]> {
  if (file.endsWith('.jsonl')) {
    const text = await readNamed(directory, file);
    return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(file, line, index + 1)]));
  }
  const value = await readValue(directory, file);
  if (Array.isArray(value)) return value;
  throw new WarrantError('REVIEW_FILE_INVALID', `${file}: expected a list of proposals`, { data: { file } });
}

function parseLine(file: string, text: string, line: number): unknown {
  const read = parseYaml(text);
  if (read.type === 'document') return read.value;
  throw new WarrantError('REVIEW_FILE_INVALID', `${file}:${line}: ${read.message}`, { data: { file, line } });
}

/** Whoever files is the proposer; a file cannot speak for somebody else. */
function toOwnProposal(desk: ReviewDesk, record: unknown, number: number): Proposal {
  const own =
    typeof record === 'object' && record !== null && !Object.hasOwn(record, 'proposed_by')
      ? { ...record, proposed_by: desk.person }
      : record;
  const read = toProposal(desk.gate, own);
  const paths =
    read.type === 'invalid'
      ? read.paths
      : read.type === 'found' && read.proposal.proposedBy === desk.person
        ? []
        : ['/proposed_by'];
  if (read.type === 'found' && paths.length === 0) return read.proposal;
  throw new WarrantError('REVIEW_FILE_INVALID', `proposal ${number} is invalid at ${paths.join(', ') || '/'}`, {
    data: { number, paths },
  });
}
