import { spawn } from 'node:child_process';
import type { ClaimVerifier } from '@warrant/adapter-claude-agent';

export type VerifierProgram = { readonly command: readonly string[]; readonly seconds: number };

const LONGEST_ANSWER = 1_000;
/** No confidence: the gate refuses what was not judged. */
const NO_ANSWER = -1;

/**
 * A verifier that is a program: it reads the claim as JSON and prints a confidence from 0 to 1, or null to abstain. One
 * that fails, hangs or says anything else answers nothing that counts, so that the claim is refused.
 */
export function programVerifier({ command, seconds }: VerifierProgram, directory: string): ClaimVerifier {
  return (question) =>
    new Promise((done) => {
      const [program = '', ...words] = command;
      const child = spawn(program, words, {
        cwd: directory,
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: seconds * 1000,
      });
      let out = '';
      child.stdout.on('data', (chunk) => {
        if (out.length <= LONGEST_ANSWER) out += String(chunk);
      });
      child.on('error', () => done(NO_ANSWER));
      child.on('close', (code) => done(code === 0 ? confidenceIn(out) : NO_ANSWER));
      // A program that reads nothing has its say all the same.
      child.stdin.on('error', () => undefined);
      child.stdin.end(JSON.stringify(question));
    });
}

function confidenceIn(out: string): number | null {
  const text = out.trim();
  if (text === 'null') return null;
  return /^(?:0?\.\d{1,12}|0|1(?:\.0+)?)$/.test(text) ? Number(text) : NO_ANSWER;
}
