/** A text of up to so many characters as it is; of a longer one beginning and end, half each. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest / 2)}\n…\n${text.slice(-longest / 2)}`;
}
