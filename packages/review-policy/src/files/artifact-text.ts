import type { Json, JsonObject } from '@warrant/core';
import { readMapping } from './record-text.ts';
import { toYaml } from './yaml-text.ts';

/** Folder and file ending of each kind of artifact. */
export const ARTIFACT_FOLDERS: Readonly<Record<string, { readonly folder: string; readonly ending: string }>> = {
  claim: { folder: 'claims', ending: '.yaml' },
  entity: { folder: 'entities', ending: '.yaml' },
  relation: { folder: 'relations', ending: '.yaml' },
  page: { folder: 'pages', ending: '.md' },
};

export type ReadArtifact =
  | { readonly type: 'artifact'; readonly body: JsonObject }
  | { readonly type: 'skipped'; readonly reason: string };

/** Pages are YAML between two `---` lines, then the body; everything else is YAML. */
export function readArtifact(kind: string, bytes: Uint8Array): ReadArtifact {
  if (kind !== 'page') return toArtifact(bytes, null);
  const text = Buffer.from(bytes).toString('utf8');
  const match = /^---\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  if (match === null) return { type: 'skipped', reason: 'no front matter' };
  return toArtifact(Buffer.from(match[1] as string), text.slice(match[0].length));
}

function toArtifact(bytes: Uint8Array, body: string | null): ReadArtifact {
  const read = readMapping(bytes);
  if (read.type === 'skipped') return read;
  if (typeof read.value['id'] !== 'string') return { type: 'skipped', reason: 'lacks id' };
  return { type: 'artifact', body: { ...(read.value as JsonObject), ...(body !== null && { body }) } };
}

/** The text of an artifact's file. */
export function artifactText(kind: string, body: JsonObject): string {
  if (kind !== 'page') return toYaml(body);
  const { body: text, ...front } = body as { readonly [key: string]: Json };
  return `---\n${toYaml(front)}---\n${typeof text === 'string' ? text : ''}`;
}
