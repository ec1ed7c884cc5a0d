/** Where a line shows that it is written for another shell. */
export type Foreign = { readonly start: number; readonly end: number; readonly word: string };

const CMDLET =
  /(?:^|[\s;|({&])((?:Get|Set|New|Remove|Copy|Move|Rename|Clear|Add|Invoke|Start|Stop|Restart|Write|Out|Select|Where|ForEach|Sort|Measure|Test|Import|Export|ConvertTo|ConvertFrom|Join|Split|Resolve|Push|Pop|Enable|Disable|Install|Uninstall|Register|Unregister|Expand|Compress|Format|Tee|Wait|Read|Send|Update|Find|Save|Publish|Group|Compare|Enter|Exit|Unblock|Block)-[A-Z][A-Za-z]+)(?=$|[\s;|)}])/;
const POWERSHELL =
  /(?:^|[\s;|(])(\$(?:env|global|script|local|using):\w+\s*=|\$(?:true|false|null|PSScriptRoot|PSVersionTable|ErrorActionPreference)\b|\[(?:System|Convert|Environment|IO)\.?[\w.]*\]::\w+)/i;
const CMD_START =
  /^\s*(@echo\s+o(?:n|ff)|(?:del|erase|copy|move|rd|rmdir|ren|dir|type|xcopy|attrib|md)\s+(?:[^'"|;&]*\s)?\/[a-z?](?=\s|$|:)|if\s+(?:not\s+)?exist\s|for\s+(?:\/[a-z]\s+)?%%?\w\s+in\s|set\s+\/[ap]\s|setlocal\b|goto\s+:?\w+\s*$|rem\s)/i;
// `date +%Y%m%d` has per cents too; a variable of cmd stands where a word or a path begins.
const CMD_VARIABLE = /(?:^|[\s=\\])(%[A-Z][A-Z0-9_()]{2,}%)/;
const CMD_ANY = />\s*nul\b/i;

/** What none of the patterns above can do without; most lines have none of it. */
const CMDLET_HINT = /[a-z]-[A-Z]/;
const HINT =
  /\$(?:(?:env|global|script|local|using):|true\b|false\b|null\b|PS|Error)|\]::|%[%A-Za-z]|@echo|nul\b|\/[a-z?](?:\s|$|:)|exist\s|^[^\S\n\r\u2028\u2029]*(?:setlocal|goto|rem)\b/im;

/** Recognises PowerShell and cmd by what bash has no use for; quoted text does not count. */
export function foreignShell(source: string): Foreign | null {
  if (!CMDLET_HINT.test(source) && !HINT.test(source)) return null;
  const bare = withoutQuoted(source);
  return (
    at(CMDLET, bare, source) ?? at(POWERSHELL, bare, source) ?? at(CMD_START, bare, source) ?? cmdVariable(bare, source)
  );
}

/** What stands in quotes, blanked. One that nothing ends is looked through once, whatever stands behind it. */
function withoutQuoted(source: string): string {
  const quoted = /'[^']*'|"(?:[^"\\]|\\.)*("?)/gs;
  let bare = '';
  let from = 0;
  for (let found = quoted.exec(source); found !== null; found = quoted.exec(source)) {
    if (found[1] === '') {
      // No later double quote ends either: between two of them only single ones count.
      const rest = source.slice(found.index);
      return bare + source.slice(from, found.index) + rest.replaceAll(/'[^']*'/g, (text) => 'x'.repeat(text.length));
    }
    bare += source.slice(from, found.index) + 'x'.repeat(found[0].length);
    from = quoted.lastIndex;
  }
  return bare + source.slice(from);
}

function cmdVariable(bare: string, source: string): Foreign | null {
  if (CMD_ANY.test(bare) && /(?:^|[&|]\s*)(?:del|copy|move|dir|type|ping|where|if|for)\b/i.test(bare))
    return at(CMD_ANY, bare, source);
  return at(CMD_VARIABLE, bare, source);
}

function at(pattern: RegExp, bare: string, source: string): Foreign | null {
  const match = pattern.exec(bare);
  if (match === null) return null;
  const text = match[1] ?? match[0];
  const start = match.index + match[0].indexOf(text);
  return { start, end: start + text.length, word: source.slice(start, start + text.length) };
}
