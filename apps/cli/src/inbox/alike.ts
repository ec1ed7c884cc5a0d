import { canonicalJson, type Json, type Question } from '@warrant/core';

/**
 * The open questions that ask the same as this one, itself among them: the same asker, tool, folder, concepts, policies
 * and choices for a confirmation, whose arguments and labels may differ; the same content for everything else.
 */
export function alikeQuestions(question: Question, open: readonly Question[]): readonly Question[] {
  const asked = whatIsAsked(question);
  return open.filter((one) => whatIsAsked(one) === asked);
}

function whatIsAsked({ kind, title, details, choices, payloads, askedBy }: Question): string {
  const name = kind === 'review' ? null : title;
  return canonicalJson({ kind, name, choices, payloads: payloads ?? null, askedBy, details: asked(kind, details) });
}

function asked(kind: Question['kind'], details: Question['details']): Json {
  if (kind === 'review') return { ...details, rationale: null };
  const { call, ...others } = details;
  if (kind !== 'confirmation' || typeof call !== 'object' || call === null || Array.isArray(call)) return details;
  return { ...others, call: { ...call, arguments: null, labels: null } };
}
