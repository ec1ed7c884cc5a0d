import { pathToFileURL } from 'node:url';
import { isWarrantError } from '@warrant/core';
import { readScxml } from '../src/scxml/index.ts';
import { readYaml } from '../src/yaml/index.ts';
import { type HostileDocument, hostileDocuments } from './hostile-documents.ts';

export type Measured = {
  readonly name: string;
  readonly refused: boolean;
  readonly cpuMs: number;
  /** By how much the most memory that the process ever held grew, the document itself not counted. */
  readonly grownMb: number;
};

// Run by itself: refuses the documents named as arguments, or all, and prints a line of JSON for each.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2);
  warmUp();
  for (const document of hostileDocuments)
    if (names.length === 0 || names.includes(keyOf(document))) console.log(JSON.stringify(measure(document)));
}

function keyOf({ name, surface }: HostileDocument): string {
  return `${surface}: ${name}`;
}

/** So that loading and compiling of the readers themselves is not counted. */
function warmUp(): void {
  for (const document of hostileDocuments.filter(({ name }) => name === 'nothing')) refuse(document, document.bytes());
}

function measure(document: HostileDocument): Measured {
  const bytes = document.bytes();
  globalThis.gc?.();
  const before = process.resourceUsage();
  const refused = refuse(document, bytes);
  const after = process.resourceUsage();
  const cpu = after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime;
  return {
    name: keyOf(document),
    refused,
    cpuMs: Math.round(cpu / 1000),
    grownMb: Math.round((after.maxRSS - before.maxRSS) / 1024),
  };
}

function refuse({ surface }: HostileDocument, bytes: Uint8Array): boolean {
  try {
    if (surface === 'scxml') readScxml(bytes);
    else readYaml(bytes);
    return false;
  } catch (error) {
    return isWarrantError(error, 'CHART_INVALID');
  }
}
