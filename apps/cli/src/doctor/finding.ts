import { isWarrantError } from '@warrant/core';

/** What one look at a workspace gave. */
export type Finding = { readonly name: string; readonly ok: boolean; readonly message: string };

/** Something is wrong, as the message says. */
export class Ailment extends Error {}

/** Looks; what the look throws is what is wrong, and keeps nobody from looking further. */
export async function findingOf(name: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { name, ok: true, message: await look() };
  } catch (error) {
    const isFileError = error instanceof Error && 'syscall' in error;
    if (!(error instanceof Ailment) && !isWarrantError(error) && !isFileError) throw error;
    return { name, ok: false, message: error.message };
  }
}
