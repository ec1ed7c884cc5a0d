/** True if the script uses only commands that neither run anything nor touch files. */
export function isHarmlessSed(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    at = skip(script, at, /[\s;]*/y);
    if (at >= script.length) break;
    const next = command(script, at);
    if (next === -1) return false;
    at = next;
  }
  return true;
}

function command(script: string, from: number): number {
  let at = addresses(script, from);
  if (at === -1) return -1;
  at = skip(script, at, /[\s!]*/y);
  const name = script.charAt(at);
  at += 1;
  if (name === '{' || name === '}' || name === '') return at;
  if (name === '#') return skip(script, at, /[^\n]*/y);
  if ('pdDPnNgGhHx='.includes(name)) return ended(script, at);
  if ('lqQ'.includes(name)) return ended(script, skip(script, at, /[ \t]*\d*/y));
  if ('aic'.includes(name)) return text(script, at);
  if (':btT'.includes(name)) return skip(script, at, /[^\n;}]*/y);
  if (name === 's') return substitute(script, at);
  if (name === 'y')
    return ended(script, delimited(script, delimited(script, at + 1, script.charAt(at)), script.charAt(at)));
  return -1;
}

/** A command must end here, else what follows is read as something else. */
function ended(script: string, at: number): number {
  if (at === -1) return -1;
  const next = skip(script, at, /[ \t]*/y);
  return next >= script.length || /[;\n}#]/.test(script.charAt(next)) ? next : -1;
}

function addresses(script: string, from: number): number {
  let at = address(script, from);
  if (at === -1 || at === from) return at;
  at = skip(script, at, /[ \t]*/y);
  if (script.charAt(at) !== ',') return at;
  at = skip(script, at + 1, /[ \t]*/y);
  const second = address(script, at);
  return second === at ? -1 : second;
}

function address(script: string, at: number): number {
  const plain = skip(script, at, /(?:[+~]?\d+(?:~\d+)?|\$)/y);
  if (plain > at) return plain;
  const char = script.charAt(at);
  if (char !== '/' && char !== '\\') return at;
  const open = char === '/' ? at : at + 1;
  const end = delimited(script, open + 1, script.charAt(open));
  return end === -1 ? -1 : skip(script, end, /[IM]*/y);
}

/** The end of a part that its delimiter closes; inside brackets the delimiter counts as GNU reads it. */
function delimited(script: string, from: number, delimiter: string): number {
  if (from < 1 || delimiter === '' || delimiter === '\n' || delimiter === '\\') return -1;
  for (let at = from; at < script.length; at += 1) {
    if (script.charAt(at) === '\\') at += 1;
    else if (script.charAt(at) === delimiter) return at + 1;
  }
  return -1;
}

function substitute(script: string, at: number): number {
  const delimiter = script.charAt(at);
  const middle = delimited(script, at + 1, delimiter);
  const end = middle === -1 ? -1 : delimited(script, middle, delimiter);
  return end === -1 ? -1 : ended(script, skip(script, end, /[gpiIMm\d]*/y));
}

/** The text of `a`, `i` and `c` goes on over lines that end in a backslash. */
function text(script: string, from: number): number {
  let at = skip(script, from, /[ \t]*/y);
  for (; at < script.length; at += 1) {
    if (script.charAt(at) === '\\') at += 1;
    else if (script.charAt(at) === '\n') return at;
  }
  return script.length;
}

function skip(script: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  const match = pattern.exec(script);
  return match === null ? at : at + match[0].length;
}
