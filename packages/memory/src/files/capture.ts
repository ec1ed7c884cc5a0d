import { appendFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { createSecretReplacer, type JsonObject, type SecretOptions } from '@warrant/core';
import { TRACKING_PREFIX } from '../capture/tracked.ts';
import type { MemoryProfile } from '../config/profiles.ts';
import type { MemoryHandle } from '../handles.ts';
import { segmentOf } from '../turn/session-key.ts';
import type { WriteResult } from '../write-step.ts';

export type CaptureOptions = {
  /** What is captured; each part is off unless the profile says otherwise. */
  readonly capture: MemoryProfile['capture'];
  /** Of the agent whose turns are captured. */
  readonly memory: MemoryHandle;
  /** Where conversations are written; made when it is not there. */
  readonly folder: string;
  /** By which secrets are replaced before a line is written. */
  readonly secrets: SecretOptions;
  /** Folder that the tracked directories are relative to. @default the working directory */
  readonly root?: string;
};
export type ConversationLine = {
  readonly session: string;
  /** ISO-8601. */
  readonly at: string;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
};
export type Capture = {
  /** Appends a line to the session's file. Returns its path, `null` when conversations are not captured. */
  readonly line: (line: ConversationLine) => Promise<string | null>;
  /** Remembers which files the tracked directories hold, one record a directory; never given to a model by itself. */
  readonly snapshot: () => Promise<readonly { readonly directory: string; readonly result: WriteResult }[]>;
};

/** Keeps what a profile asks to keep, and nothing without being asked. */
export function createCapture(options: CaptureOptions): Capture {
  const { capture, memory, folder } = options;
  const root = resolve(options.root ?? '.');
  const clean = createSecretReplacer(options.secrets);
  return {
    line: async (line) => {
      if (!capture.conversationJsonl) return null;
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${segmentOf(line.session)}.jsonl`);
      const { session, at, role, text } = line;
      await appendFile(path, `${JSON.stringify(clean({ session, at, role, text }))}\n`, { mode: 0o600 });
      return path;
    },
    snapshot: async () => {
      const results: { readonly directory: string; readonly result: WriteResult }[] = [];
      for (const directory of capture.trackedDirectories) {
        const path = resolve(root, directory);
        const value = clean(await listed(path, capture.trackingMaxFilesPerDirectory));
        const key = `${TRACKING_PREFIX}${segmentOf(path)}`;
        results.push({
          directory: path,
          result: await memory.write({ key, value, directories: [path], label: { trust: 'tool', sources: [path] } }),
        });
      }
      return results;
    },
  };
}

/** The files below a directory by name, so many at most; links are not followed. */
async function listed(directory: string, most: number): Promise<JsonObject> {
  const files: { readonly path: string; readonly bytes: number }[] = [];
  const waiting = [directory];
  let more = false;
  while (waiting.length > 0 && !more) {
    const next = waiting.shift() as string;
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') waiting.push(path);
      if (!entry.isFile()) continue;
      if (files.length === most) more = true;
      if (more) break;
      files.push({
        path: path
          .slice(directory.length + 1)
          .split(sep)
          .join('/'),
        bytes: (await stat(path)).size,
      });
    }
  }
  return { type: 'directory', directory, files, more };
}
