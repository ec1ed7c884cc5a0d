import { readFile } from 'node:fs/promises';
import { type JsonObject, WarrantError } from '@warrant/core';
import { formatFault } from '@warrant/core/documents';
import type { PolicySet } from '../policy-set.ts';
import { parsePolicies } from './parse-policies.ts';

/**
 * Reads one policy file from disk. Nothing else ever loads policies: a graph cannot carry or point to one.
 * @throws POLICY_FILE_UNREADABLE; POLICY_FILE_INVALID with every fault and its line in `data.faults`.
 */
export async function loadPolicies(file: string): Promise<PolicySet> {
  let text: Uint8Array;
  try {
    text = await readFile(file);
  } catch (cause) {
    throw new WarrantError('POLICY_FILE_UNREADABLE', `the policy file ${file} cannot be read`, {
      data: { file },
      cause,
    });
  }
  const parsed = parsePolicies({ file, text });
  if (parsed.type === 'ok') return parsed.policies;
  const [first] = parsed.faults;
  const more = parsed.faults.length > 1 ? `, and ${parsed.faults.length - 1} more faults` : '';
  throw new WarrantError('POLICY_FILE_INVALID', `${first === undefined ? file : formatFault(first)}${more}`, {
    data: { file, faults: parsed.faults as unknown as readonly JsonObject[] },
  });
}
