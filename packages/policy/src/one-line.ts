/** Several lines as one, each with the end of a sentence. */
export function oneLine(text: string): string {
  const sentences = text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return sentences.map((line, index) => (index < sentences.length - 1 ? ended(line) : line)).join(' ');
}

function ended(sentence: string): string {
  return /[.!?:;]$/.test(sentence) ? sentence : `${sentence}.`;
}
