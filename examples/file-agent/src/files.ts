import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Real files in a folder of their own. */
export function createScratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'warrant-demo-')));
  for (const name of ['notes', 'protected', 'reports']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'notes/todo.md'), '- water the plants\n');
  writeFileSync(join(folder, 'notes/old.md'), 'nobody needs this\n');
  writeFileSync(join(folder, 'protected/ledger.csv'), 'date,amount\n2026-01-01,100\n');
  writeFileSync(join(folder, 'reports/q1.txt'), 'first quarter\n');
  return folder;
}

/** The tools of the agent, as anybody would write them: they know nothing of guards. */
export const tools = {
  list_directory: ({ path }: { readonly path: string }) => readdirSync(path).sort(),
  create_file: ({ path, text }: { readonly path: string; readonly text: string }) => {
    writeFileSync(path, text, { flag: 'wx' });
    return `created ${basename(path)}`;
  },
  overwrite_file: ({ path, text }: { readonly path: string; readonly text: string }) => {
    writeFileSync(path, text, { flag: 'r+' });
    return `overwrote ${basename(path)}`;
  },
  delete_file: ({ path }: { readonly path: string }) => {
    rmSync(path);
    return `deleted ${basename(path)}`;
  },
  archive_directory: ({ path, into }: { readonly path: string; readonly into: string }) => {
    asOrdinaryUser(into, () => {
      mkdirSync(into, { recursive: true });
      renameSync(path, join(into, basename(path)));
    });
    return `archived ${basename(path)}`;
  },
};

const locked = new Set<string>();
const NOBODY = 65_534;

/** A folder that takes nothing. */
export function lock(path: string): void {
  mkdirSync(path);
  chmodSync(path, 0o555);
  locked.add(path);
}

/** The administrator may write anywhere: who runs this as one is somebody else while a locked folder is touched. */
function asOrdinaryUser(path: string, work: () => void): void {
  if (!locked.has(path) || process.geteuid?.() !== 0 || process.seteuid === undefined) {
    work();
    return;
  }
  process.seteuid(NOBODY);
  try {
    work();
  } finally {
    process.seteuid(0);
  }
}

/** Every file below a folder with its content, without the workspace's own. */
export function contents(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isFile() && !name.startsWith('.warrant')) found[name] = readFileSync(path, 'utf8');
  }
  return found;
}
