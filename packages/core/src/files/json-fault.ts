// Controls from U+0000 to U+001F do not stand in a string, those from U+007F do.
const STRING = /"(?:[^"\\\p{Cc}]+|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/u;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const TOKEN = new RegExp(`[ \\t\\n\\r]*(?:[{}[\\]:,]|${STRING.source}|${NUMBER.source}|true|false|null)`, 'uy');

type Token = { readonly text: string; readonly start: number; readonly end: number };

/** The offset at which text stops being JSON, or its length when it ends too early: not every Node says it. */
export function offsetOfJsonFault(text: string): number {
  const open: string[] = [];
  // What may stand next: a value, a member's name, what follows a value, or a colon.
  let next: 'value' | 'name' | 'after' | 'colon' = 'value';
  let mayClose = false;
  for (let at = 0; ; ) {
    const token = tokenAt(text, at);
    if (token === undefined) return skipSpace(text, at);
    const step = follow(token.text, next, open, mayClose);
    if (step === undefined) return token.start;
    next = step;
    mayClose = token.text === '{' || token.text === '[';
    at = token.end;
  }
}

function tokenAt(text: string, at: number): Token | undefined {
  TOKEN.lastIndex = at;
  const found = TOKEN.exec(text);
  if (found === null) return undefined;
  const token = found[0].trimStart();
  return { text: token, start: TOKEN.lastIndex - token.length, end: TOKEN.lastIndex };
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (end < text.length && ' \t\n\r'.includes(text[end] as string)) end += 1;
  return end;
}

function follow(
  token: string,
  next: 'value' | 'name' | 'after' | 'colon',
  open: string[],
  mayClose: boolean,
): 'value' | 'name' | 'after' | 'colon' | undefined {
  if (token === '}' || token === ']') {
    const fits = open.at(-1) === (token === '}' ? '{' : '[') && (next === 'after' || mayClose);
    if (!fits) return undefined;
    open.pop();
    return 'after';
  }
  if (next === 'colon') return token === ':' ? 'value' : undefined;
  if (next === 'after') {
    if (token !== ',' || open.length === 0) return undefined;
    return open.at(-1) === '{' ? 'name' : 'value';
  }
  if (next === 'name') return token.startsWith('"') ? 'colon' : undefined;
  if (token === ':' || token === ',') return undefined;
  if (token !== '{' && token !== '[') return 'after';
  open.push(token);
  return token === '{' ? 'name' : 'value';
}
