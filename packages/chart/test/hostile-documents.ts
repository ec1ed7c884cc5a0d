const NS = 'xmlns="http://www.w3.org/2005/07/scxml"';
const header = 'format: warrant.chart/1\n';

/** A name, the document, and what its first fault looks like as `code line:column`. */
type Made = readonly [string, () => string | Uint8Array, RegExp];

const scxml: readonly Made[] = [
  ['a DOCTYPE', () => `<!DOCTYPE scxml SYSTEM "x.dtd"><scxml ${NS}/>`, /^doctype 1:/],
  [
    'an entity bomb',
    () =>
      `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><scxml ${NS} name="&b;"/>`,
    /^doctype 1:/,
  ],
  ['an unknown entity', () => `<scxml ${NS} name="&b;"/>`, /^xml 1:/],
  ['10,000 levels', () => `<scxml ${NS}>${'<state>'.repeat(10_000)}`, /^too-deep 1:/],
  ['100 MB', () => new Uint8Array(100 * 1024 * 1024).fill(0x20), /^too-large 1:1/],
  ['invalid UTF-8', () => new Uint8Array([0x3c, 0xff, 0xfe]), /^not-utf8 1:1/],
  ['an undefined prefix', () => `<scxml ${NS}>\n<vt:x/></scxml>`, /^xml 2:/],
  ['an attribute twice', () => `<scxml ${NS} name="a" name="b"/>`, /^xml 1:/],
  [
    'the same attribute under two prefixes',
    () => `<scxml ${NS} xmlns:a="u:x" xmlns:b="u:x" a:y="1" b:y="2"/>`,
    /^xml 1:/,
  ],
  ['no end', () => `<scxml ${NS}><state id="a">`, /^xml 1:/],
  ['nothing', () => '', /^xml 1:/],
  ['another root', () => '<html/>', /^root 1:1/],
  ['half a million elements', () => `<scxml ${NS}>${'<a/>'.repeat(500_000)}</scxml>`, /^too-large 1:/],
  [
    'ninety thousand wrong attributes',
    () => `<scxml ${NS} ${Array.from({ length: 90_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
    /^unknown-attribute 1:1/,
  ],
  [
    'many attributes',
    () => `<scxml ${NS} ${Array.from({ length: 150_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
    /^too-large 1:/,
  ],
  [
    'a script',
    () => `<scxml ${NS}>\n <state id="a"><onentry>\n  <script>x</script></onentry></state></scxml>`,
    /^script 3:3/,
  ],
  [
    '2 MB that end in a fault',
    () => `<scxml ${NS}><state id="a"/>${`<!--${'x'.repeat(60)}-->\n`.repeat(29_000)}</scxm>`,
    /^xml 29001:/,
  ],
  [
    'one text of 2 MB',
    () => `<scxml ${NS}><state id="${'x'.repeat(2_000_000)}"/><state id="b" a=""/></scxml>`,
    /^unknown-attribute 1:/,
  ],
  [
    'foreign elements between thirty thousand branches',
    () =>
      `<scxml ${NS} xmlns:v="u:v"><state id="a"><onentry><if cond="true">${'<elseif cond="true"/><v:m/>'.repeat(33_000)}<bogus/></if></onentry></state></scxml>`,
    /^unknown-element 1:/,
  ],
  ['deep foreign elements', () => `<scxml ${NS}>${'<x xmlns="u:x">'.repeat(1000)}`, /^too-deep 1:/],
  [
    'JSON of 900,000 levels',
    () =>
      `<scxml ${NS}><datamodel><data id="a">${'['.repeat(900_000)}${']'.repeat(900_000)}</data></datamodel></scxml>`,
    /^not-json 1:/,
  ],
  [
    'JSON that is none',
    () => `<scxml ${NS}><datamodel>\n<data id="a">[1e999]</data></datamodel><state/></scxml>`,
    /^not-json 2:1/,
  ],
  ['text where none belongs', () => `<scxml ${NS}>\n<state id="a">x</state></scxml>`, /^unknown-text 2:1/],
  ['a control character', () => `<scxml ${NS} name="\u0001"/>`, /^xml 1:/],
];

function keys(count: number, print: (key: string) => string): string {
  return Array.from({ length: count }, (_, at) => print(`k${at}`)).join('');
}

const yaml: readonly Made[] = [
  [
    'aliases that explode',
    () =>
      `${header}a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\ndata: [*c,*c,*c,*c,*c,*c]\n`,
    /^too-many-aliases 1:1/,
  ],
  ['an alias of itself', () => `${header}data: &a { x: *a }\nstates: { a: {} }\n`, /^cyclic-alias 2:15/],
  ['a key twice', () => `${header}states:\n  a: {}\n  a: {}\n`, /^duplicate-key 4:3/],
  ['5,000 levels', () => `${header}states: ${'{ a: { states: '.repeat(5000)}`, /^(too-deep|syntax) /],
  [
    'a quarter of a megabyte of list',
    () => `${header}data: { x: [${'1,'.repeat(125_000)}] }\nstates: { a: {} }\nb: 1\n`,
    /^too-large 1:1/,
  ],
  [
    'a list of 24,000',
    () => `${header}data: { x: [${'1,'.repeat(24_000)}] }\nstates: { a: {} }\nb: 1\n`,
    /^unknown-key 4:1/,
  ],
  ['12,000 unknown keys', () => `${header}${keys(12_000, (key) => `${key}: 1\n`)}`, /^unknown-key 2:1/],
  ['24,000 keys without values', () => `${header}b: {${keys(24_000, (key) => `${key},`)}}\n`, /^unknown-key 2:1/],
  ['8,000 times a key', () => `${header}states:\n${'  a: {}\n'.repeat(8_000)}`, /^duplicate-key 4:3/],
  [
    '8,000 aliases of an empty map',
    () => `${header}states:\n a: &a {}\n b: [${'*a, '.repeat(8000)}]\n`,
    /^too-many-aliases 4:406/,
  ],
  ['12,000 foreign tags', () => `${header}data: [${'!a x,'.repeat(12_000)}]\n`, /^foreign-tag 2:8/],
  ['a quarter of a megabyte of brackets', () => `${header}data: ${'['.repeat(250_000)}`, /^too-large 1:1/],
  ['24,000 brackets', () => `${header}data: ${'['.repeat(24_000)}`, /^(syntax|too-deep) /],
  ['120,000 dashes', () => `${header}data:\n  ${'- '.repeat(120_000)}`, /^(syntax|too-deep) /],
  ['a lone surrogate', () => `${header}data: { x: "\\ud800" }\nstates: { a: {} }\n`, /^wrong-value 2:/],
  ['150 closed levels', () => `${header}data: { x: ${'['.repeat(150)}${']'.repeat(150)} }\n`, /^too-deep 2:/],
  ['100 MB', () => new Uint8Array(100 * 1024 * 1024).fill(0x20), /^too-large 1:1/],
  ['invalid UTF-8', () => new Uint8Array([0x61, 0xff]), /^not-utf8 1:1/],
  ['a foreign tag', () => `${header}name: !!js/function x\n`, /^foreign-tag 2:/],
  ['several documents', () => `${header}---\n${header}`, /^several-documents /],
  ['no header', () => 'states: { a: {} }\n', /^header 1:1/],
  ['both headers', () => `vertep: 1\n${header}states: { a: {} }\n`, /^header /],
  ['a list', () => '- a\n', /^wrong-type 1:1/],
  ['nothing', () => '', /^wrong-type 1:1/],
  ['a prototype', () => `${header}__proto__: { states: 1 }\nstates: { a: {} }\n`, /^unknown-key 2:1/],
  ['numbers that JSON lacks', () => `${header}data: { x: .inf }\nstates: { a: {} }\n`, /^wrong-value 2:/],
];

export type HostileDocument = {
  readonly name: string;
  readonly surface: 'scxml' | 'yaml';
  readonly bytes: () => Uint8Array;
  readonly fault: RegExp;
};

/** Documents that are meant to cost more than they should. */
export const hostileDocuments: readonly HostileDocument[] = [
  ...scxml.map((made) => documentOf('scxml', made)),
  ...yaml.map((made) => documentOf('yaml', made)),
];

function documentOf(surface: HostileDocument['surface'], [name, make, fault]: Made): HostileDocument {
  const bytes = () => {
    const made = make();
    return typeof made === 'string' ? new TextEncoder().encode(made) : made;
  };
  return { name, surface, bytes, fault };
}
