import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isWarrantError } from '@warrant/core';
import { verifyJournal } from '@warrant/journal';
import { findOrphans } from '@warrant/policy';
import type { Workspace } from '@warrant/workspace';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Finding = { readonly name: string; readonly ok: boolean; readonly message: string };

export const command: CommandModule = {
  configure: () => {},
  run: (call) =>
    withWorkspace(call, async (workspace) => {
      const findings = [
        await checkPolicies(workspace),
        checkKey(workspace),
        checkIgnored(workspace),
        await checkJournal(workspace),
        await checkOutbox(workspace),
        checkDatabase(workspace),
      ];
      const lines = findings.map(
        ({ name, ok, message }) =>
          `${ok ? paint(call, 'green', 'ok  ') : paint(call, 'red', 'look')} ${name.padEnd(10)} ${message}`,
      );
      print(call, findings, lines.join('\n'));
      return findings.every((finding) => finding.ok) ? exitCodes.ok : exitCodes.no;
    }),
};

async function checkPolicies({ policies, graph }: Workspace): Promise<Finding> {
  const name = 'policies';
  try {
    const set = await policies.load();
    const orphans = await findOrphans(set.placements, graph);
    if (orphans.length === 0)
      return { name, ok: true, message: `${set.placements.length} placed on edges of the graph` };
    return {
      name,
      ok: false,
      message: `the graph has no edge for ${orphans.map((orphan) => orphan.key).join(', ')}: guards refuse to start`,
    };
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return { name, ok: false, message: error.message };
  }
}

function checkKey({ paths }: Workspace): Finding {
  const mode = statSync(paths.secretKey, { throwIfNoEntry: false })?.mode;
  if (mode === undefined)
    return { name: 'key', ok: false, message: `${paths.secretKey} is missing: secrets cannot be replaced` };
  const open = (mode & 0o077) !== 0;
  return {
    name: 'key',
    ok: !open,
    message: open ? `${paths.secretKey} can be read by others: chmod 600` : 'readable by its owner only',
  };
}

function checkIgnored({ paths }: Workspace): Finding {
  const file = join(paths.folder, '.gitignore');
  const ignored = existsSync(file) && readFileSync(file, 'utf8').includes('secret.key');
  return {
    name: 'git',
    ok: ignored,
    message: ignored
      ? 'key and database are kept out of version control'
      : `${file} does not keep secret.key out of version control`,
  };
}

async function checkJournal({ journal }: Workspace): Promise<Finding> {
  const { damage, entries } = await verifyJournal(journal);
  const message = damage === undefined ? `${entries} entries verified` : `damaged: ${JSON.stringify(damage)}`;
  return { name: 'journal', ok: damage === undefined, message };
}

async function checkOutbox({ file }: Workspace): Promise<Finding> {
  const waiting = await file.outbox.pending(1000);
  return {
    name: 'outbox',
    ok: waiting.length === 0,
    message: waiting.length === 0 ? 'nothing waits to be recorded' : `${waiting.length} records wait for the journal`,
  };
}

function checkDatabase({ file, paths }: Workspace): Finding {
  const answer = file.read((db) => db.get<{ readonly integrity_check: string }>('PRAGMA integrity_check'));
  const size = statSync(paths.database).size;
  const ok = answer?.integrity_check === 'ok';
  return {
    name: 'database',
    ok,
    message: ok ? `sound, ${(size / 1024).toFixed(0)} KiB` : `damaged: ${answer?.integrity_check ?? 'no answer'}`,
  };
}
