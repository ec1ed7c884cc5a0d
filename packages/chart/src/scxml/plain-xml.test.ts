import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeChart } from '../../test/arbitraries.ts';
import { hostileDocuments } from '../../test/hostile-documents.ts';
import { readPlain } from './plain-xml.ts';
import { writeScxml } from './write.ts';
import { defaultXmlLimits, readStrictly } from './xml.ts';
import type { XmlElement } from './xml-element.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;
const limits = defaultXmlLimits;

type Outline = readonly unknown[];

/** All that is known of an element. */
function outline({ namespace, local, attributes, children, holdsValue, offset }: XmlElement): Outline {
  const given = attributes.map(({ uri, local: name, value }) => [uri, name, value]);
  const inside = children.map((child) => (typeof child === 'string' ? child : outline(child)));
  return [namespace, local, given, inside, holdsValue, offset];
}

/** Whether it is read; what is read has to be what the strict parser reads, and so well-formed. */
function isPlain(source: string): boolean {
  const root = readPlain(source, limits);
  if (root !== undefined) expect(outline(root)).toEqual(outline(readStrictly(source, limits)));
  return root !== undefined;
}

const documents = (() => {
  const folder = process.env['WARRANT_FIXTURES'] ?? resolve(import.meta.dirname, '../../../../../shared/fixtures');
  const official = join(folder, '../w3c-scxml');
  const files = existsSync(official) ? readdirSync(official).filter((name) => name.endsWith('.txml')) : [];
  let state = 1;
  const pick = (bound: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
  return [
    ...files.map((name) => readFileSync(join(official, name), 'utf8')),
    ...Array.from({ length: 20 }, () => writeScxml(makeChart(pick))),
    '<a xmlns:p="u:p" xmlns="u:a" p:x="1" x=\'2\'>t &lt;&amp;&quot;<p:b y="&apos;"/> <!-- c --> <c xmlns="u:c" ><d/></c ></a >',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- c -->\n<a xmlns="u:a">x<!---->y</a>\n<!-- d -->\n',
  ];
})();

const PIECES = [
  ...[
    '<',
    '>',
    '/>',
    '</',
    '"',
    "'",
    '=',
    '&',
    '&lt;',
    '&#10;',
    '&x;',
    ']]>',
    '<![CDATA[',
    '<?x?>',
    '<!--',
    '-->',
    '--',
    '<!DOCTYPE a>',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    ':',
    'x',
    'xmlns',
    'xml:',
    'xmlns:q="u:q"',
    ' q:z="1"',
    ' a="1"',
    '<b/>',
    '</b>',
    '\u0000',
    '\u0085',
    '\ufeff',
  ],
  ...['\u00e4', '\ud800', '\u{1f600}', '\ufffe'],
];

describe('the plain reader', () => {
  test('reads what the strict one reads, or nothing', () => {
    const read = documents.filter(isPlain);
    expect(read.length).toBeGreaterThan(20);
    for (const { surface, bytes } of hostileDocuments) {
      const document = bytes();
      if (surface === 'scxml' && document.length < 100_000) isPlain(new TextDecoder().decode(document));
    }
  });

  test('the same of documents that were changed in any way', () => {
    const kinds = { plain: 0, other: 0 };
    const edits = fc.array(
      fc.record({ at: fc.nat(1_000_000), cut: fc.nat(4), piece: fc.constantFrom('', ...PIECES) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(fc.constantFrom(...documents), edits, (document, changes) => {
        const changed = changes.reduce((text, { at, cut, piece }) => {
          const from = at % (text.length + 1);
          return text.slice(0, from) + piece + text.slice(from + cut);
        }, document);
        kinds[isPlain(changed) ? 'plain' : 'other'] += 1;
      }),
      { numRuns: soak ? 50_000 : 1500 },
    );
    expect(kinds.plain).toBeGreaterThan(20);
    expect(kinds.other).toBeGreaterThan(20);
  });

  test.each([
    ['a declaration of XML', '<?xml version="1.0"?><a/>'],
    ['comments', '<!-- a --><a><!--<b>--></a><!-- - -->'],
    ['either quotes, and space around signs', '<a b = \'"\' \n c\t="\'" />'],
    ['prefixes', '<p:a xmlns:p="u:p"><b p:c="1" c="2"/></p:a>'],
    ['a prefix that means something else inside', '<a xmlns:p="u:p"><b xmlns:p="u:q" p:c="1"/><b p:c="1"/></a>'],
    ['entities', '<a b="&lt;&gt;&amp;&quot;&apos;">&lt;&gt;&amp;&quot;&apos;</a>'],
    ['letters of any language', '<a b="\u00e4\u4e2d">\u00e4\u4e2d</a>'],
  ])('knows %s', (_, document) => {
    expect(isPlain(document)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['text alone', 'a'],
    ['text around the root', 'x<a/>'],
    ['text after the root', '<a/>x'],
    ['two roots', '<a/><b/>'],
    ['an end that fits another name', '<a></ab>'],
    ['an end too many', '<a/></a>'],
    ['no end', '<a><b/>'],
    ['a tag without end', '<a><b</a>'],
    ['a sign between slash and end', '<a/ >'],
    ['attributes that touch', '<a b="1"c="2"/>'],
    ['an attribute without a value', '<a b/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['a < in an attribute', '<a b="<"/>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an attribute under two prefixes', '<a xmlns:p="u:p" xmlns:q="u:p" p:b="1" q:b="2"/>'],
    ['a declaration twice', '<a xmlns:p="u:p" xmlns:p="u:q"/>'],
    ['an unknown prefix', '<p:a/>'],
    ['an unknown prefix of an attribute', '<a p:b="1"/>'],
    ['a prefix out of its element', '<a><b xmlns:p="u:p"/><p:c/></a>'],
    ['a prefix for nothing', '<a xmlns:p=""/>'],
    ['the prefix of declarations', '<a xmlns:xmlns="u:a"/>'],
    ['the namespace of XML', '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>'],
    ['two colons', '<a:b:c xmlns:a="u:a"/>'],
    ['a name that begins with a digit', '<1/>'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['a lone &', '<a b="a & b"/>'],
    ['two dashes in a comment', '<a><!-- -- --></a>'],
    ['a comment without end', '<a><!-- </a>'],
    ['the end of CDATA', '<a>]]></a>'],
    ['a control character', '<a>\u0001</a>'],
    ['half a pair', '<a>\ud800</a>'],
    ['a declaration in the middle', '<a><?xml version="1.0"?></a>'],
    ['a declaration after a space', ' <?xml version="1.0"?><a/>'],
  ])('leaves %s to the strict one, which refuses it', (_, document) => {
    expect(readPlain(document, limits)).toBeUndefined();
    expect(() => readStrictly(document, limits)).toThrow();
  });

  test.each([
    ['CDATA', '<a><![CDATA[x]]></a>'],
    ['an instruction', '<?x y?><a/>'],
    ['a number of a character', '<a>&#65;</a>'],
    ['an encoding of another name', '<?xml version="1.0" encoding="latin1"?><a/>'],
    ['ends of lines of two characters', '<a>\r\n</a>'],
    ['a line end in an attribute', '<a b="1\n2"/>'],
    ['a namespace with space around it', '<a xmlns=" u:a "/>'],
    ['no namespace within one', '<a xmlns="u:a"><b xmlns=""/></a>'],
    ['the prefix xml', '<a xml:lang="en"/>'],
    ['a name of other letters', '<\u00e4/>'],
    ['a letter of two units', '<a>\u{1f600}</a>'],
    ['many attributes', `<a ${Array.from({ length: 17 }, (_, at) => `b${at}="1"`).join(' ')}/>`],
    [
      'many declarations around',
      `${Array.from({ length: 18 }, (_, at) => `<a xmlns:p${at}="u:p">`).join('')}${'</a>'.repeat(18)}`,
    ],
  ])('leaves %s to the strict one, which reads it', (_, document) => {
    expect(readPlain(document, limits)).toBeUndefined();
    expect(readStrictly(document, limits)).toBeDefined();
  });

  test('holds to the limits', () => {
    const nested = `${'<a>'.repeat(5)}${'</a>'.repeat(5)}`;
    expect(readPlain(nested, { ...limits, maxDepth: 5 })).toBeDefined();
    expect(readPlain(nested, { ...limits, maxDepth: 4 })).toBeUndefined();
    expect(readPlain('<a b="1"><c/></a>', { ...limits, maxNodes: 3 })).toBeDefined();
    expect(readPlain('<a b="1"><c/></a>', { ...limits, maxNodes: 2 })).toBeUndefined();
  });
});
