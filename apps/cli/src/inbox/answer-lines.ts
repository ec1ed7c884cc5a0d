import { canonicalJson, type Json, type Question } from '@warrant/core';

/** How a question is answered here: a command for each choice, and the form of the data that a choice wants. */
export function answerLines(question: Question): readonly string[] {
  const commands = question.choices.map((choice) => {
    const payload = payloadSchema(question, choice) === undefined ? '' : ' --payload JSON';
    return `warrant inbox answer ${shellWord(question.id)} ${shellWord(choice)}${payload}`;
  });
  const payloads = question.choices.flatMap((choice) => {
    const schema = payloadSchema(question, choice);
    return schema === undefined ? [] : [`  the payload of ${choice} is as ${canonicalJson(schema)} says`];
  });
  return [...payloads, `  answer with: ${commands.join('   or   ')}`];
}

/** What the data of a choice have to be like; undefined where anything will do. */
export function payloadSchema({ payloads }: Question, choice: string): { readonly [name: string]: Json } | undefined {
  const schema = payloads !== undefined && Object.hasOwn(payloads, choice) ? payloads[choice] : undefined;
  return schema === undefined || Object.keys(schema).length === 0 ? undefined : schema;
}

/** A word that a shell takes as it stands, or in quotes: `$refuse` would be nothing at all. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
