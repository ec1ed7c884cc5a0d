import { createTree, onceOf } from './tree.ts';
import type { XmlLimits } from './xml.ts';
import type { XmlAttribute, XmlElement } from './xml-element.ts';

/**
 * Reads XML of the plain kind that most charts are written in, in a fraction of the time that the strict parser takes in a
 * process where nothing is compiled yet. It decides nothing: of all that is not certainly well-formed, and of what is rare,
 * it gives undefined, and the strict parser reads the document from its start.
 */
export function readPlain(source: string, limits: XmlLimits): XmlElement | undefined {
  return RARE.test(source) ? undefined : new PlainReader(source, limits).read();
}

/** Characters besides line ends and blanks that are not plainly allowed; `]]>` may stand nowhere but at the end of CDATA. */
const RARE = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd]|\]\]>/;
const DECLARATION = /^<\?xml version="1\.0"(?: encoding="[Uu][Tt][Ff]-8")?\?>/;
const NAME = /([A-Za-z_][\w.-]*)(?::([A-Za-z_][\w.-]*))?/y;
const ATTRIBUTE =
  /[ \n\t]+([A-Za-z_][\w.-]*)(?::([A-Za-z_][\w.-]*))?[ \n\t]*=[ \n\t]*(?:"([^"<\n\t]*)"|'([^'<\n\t]*)')/y;
const SPACE = /[ \n\t]*/y;
const TO_TAG = /[ \n\t]*</y;
const MORE_THAN_SPACE = /[^ \n\t]/;
const UNKNOWN_ENTITY = /&(?!(?:lt|gt|amp|quot|apos);)/;
const ENTITY = /&(lt|gt|amp|quot|apos);/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Documents with more attributes of one element, or declarations around it, are read by the strict parser. */
const MANY = 16;
const BANG = 33;
const SLASH = 47;
const GREATER = 62;

type Scope = ReadonlyMap<string, string>;
/** An attribute as it is written; its namespace is not looked up yet. */
type RawAttribute = XmlAttribute & { readonly prefix: string };

class PlainReader {
  private readonly source: string;
  private readonly limits: XmlLimits;
  private readonly tree = createTree();
  /** Names of the open elements as they are written, and what their prefixes stand for. */
  private readonly names: string[] = [];
  private readonly scopes: Scope[] = [new Map()];
  private at = 0;
  private nodes = 0;
  /** Whether an attribute of this tag has a prefix or is a declaration. */
  private hasNamespaces = false;

  constructor(source: string, limits: XmlLimits) {
    this.source = source;
    this.limits = limits;
  }

  read(): XmlElement | undefined {
    const { source, tree } = this;
    this.at = DECLARATION.exec(source)?.[0].length ?? 0;
    for (;;) {
      const start = this.nextTag();
      if (start === undefined) return undefined;
      if (start < 0) break;
      this.at = start + 1;
      const next = source.charCodeAt(start + 1);
      const isRead = next === SLASH ? this.closeTag() : next === BANG ? this.comment() : this.openTag(start);
      if (!isRead) return undefined;
    }
    const isClosed = this.names.length === 0 && !MORE_THAN_SPACE.test(source.slice(this.at));
    return isClosed ? tree.root() : undefined;
  }

  /** Where the next `<` stands, the text before it read; undefined where that is not plain, -1 at the end. */
  private nextTag(): number | undefined {
    const { source, tree } = this;
    TO_TAG.lastIndex = this.at;
    // Most text of a chart only indents it.
    if (!tree.keepsSpace() && TO_TAG.test(source)) return TO_TAG.lastIndex - 1;
    const next = source.indexOf('<', this.at);
    if (next <= this.at) return next;
    const text = source.slice(this.at, next);
    if (this.names.length === 0) return MORE_THAN_SPACE.test(text) ? undefined : next;
    const plain = withoutEntities(text);
    if (plain === undefined) return undefined;
    tree.text(plain);
    return next;
  }

  private comment(): boolean {
    const end = this.source.indexOf('--', this.at + 3);
    if (!this.source.startsWith('!--', this.at) || end < 0 || this.source.charCodeAt(end + 2) !== GREATER) return false;
    this.at = end + 3;
    return true;
  }

  private closeTag(): boolean {
    const name = this.names.pop();
    if (name === undefined || !this.source.startsWith(name, this.at + 1)) return false;
    this.at += 1 + name.length;
    if (this.source.charCodeAt(this.at) !== GREATER) {
      this.at = endOf(SPACE, this.source, this.at);
      if (this.source.charCodeAt(this.at) !== GREATER) return false;
    }
    this.at += 1;
    this.scopes.pop();
    this.tree.close();
    return true;
  }

  private openTag(start: number): boolean {
    const { source, names, tree, limits } = this;
    NAME.lastIndex = this.at;
    const found = NAME.exec(source);
    const isSecondRoot = names.length === 0 && tree.root() !== undefined;
    if (found === null || isSecondRoot || tree.depth() >= limits.maxDepth) return false;
    this.at += (found[0] as string).length;
    let scope = this.scopes[this.scopes.length - 1] as Scope;
    const raw = this.attributes();
    if (raw === undefined) return false;
    this.nodes += 1 + raw.length;
    if (this.nodes > limits.maxNodes) return false;
    let attributes: readonly XmlAttribute[] | undefined = raw;
    if (this.hasNamespaces) {
      const inner = scopeOf(raw, scope);
      if (inner === undefined) return false;
      scope = inner;
      attributes = resolved(raw, scope);
    }
    const uri = found[2] === undefined ? (scope.get('') ?? '') : scope.get(found[1] as string);
    if (uri === undefined || attributes === undefined || isTwice(attributes)) return false;
    tree.open(uri, onceOf((found[2] ?? found[1]) as string), attributes, start);
    names.push(found[0] as string);
    this.scopes.push(scope);
    return this.endOfTag();
  }

  /** The attributes of a tag as they are written, in front of its end. */
  private attributes(): readonly RawAttribute[] | undefined {
    const { source } = this;
    this.hasNamespaces = false;
    const raw: RawAttribute[] = [];
    while (!isEnd(source.charCodeAt(this.at))) {
      ATTRIBUTE.lastIndex = this.at;
      const found = ATTRIBUTE.exec(source);
      if (found === null) break;
      this.at = ATTRIBUTE.lastIndex;
      const value = withoutEntities((found[3] ?? found[4]) as string);
      if (value === undefined || raw.length === MANY) return undefined;
      const local = onceOf((found[2] ?? found[1]) as string);
      const prefix = found[2] === undefined ? '' : (found[1] as string);
      if (prefix !== '' || local === 'xmlns') this.hasNamespaces = true;
      raw.push({ uri: '', prefix, local, value });
    }
    return raw;
  }

  /** `>`, or `/>`, which closes the element as well. */
  private endOfTag(): boolean {
    const { source } = this;
    if (!isEnd(source.charCodeAt(this.at))) this.at = endOf(SPACE, source, this.at);
    if (source.charCodeAt(this.at) === SLASH) {
      this.names.pop();
      this.scopes.pop();
      this.tree.close();
      this.at += 1;
    }
    this.at += 1;
    return source.charCodeAt(this.at - 1) === GREATER;
  }
}

function isEnd(sign: number): boolean {
  return sign === GREATER || sign === SLASH;
}

function endOf(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  pattern.exec(source);
  return pattern.lastIndex;
}

/** The text with what its entities stand for; undefined where it holds others than the five of XML. */
function withoutEntities(text: string): string | undefined {
  if (!text.includes('&')) return text;
  return UNKNOWN_ENTITY.test(text) ? undefined : text.replace(ENTITY, (_, name: string) => ENTITIES[name] as string);
}

/** What prefixes stand for within the element; undefined where a declaration is not a plain one. */
function scopeOf(raw: readonly RawAttribute[], outer: Scope): Scope | undefined {
  let scope: Map<string, string> | undefined;
  for (const one of raw) {
    if (!isDeclaration(one)) continue;
    const prefix = one.prefix === '' ? '' : one.local;
    const isPlain = one.value !== '' && one.value === one.value.trim() && !one.value.startsWith(RESERVED);
    if (!isPlain || prefix.startsWith('xml') || outer.size > MANY) return undefined;
    scope ??= new Map(outer);
    scope.set(prefix, onceOf(one.value));
  }
  return scope ?? outer;
}

/** Namespaces of XML itself begin so. */
const RESERVED = 'http://www.w3.org/XML';

function isDeclaration({ prefix, local }: RawAttribute): boolean {
  return prefix === 'xmlns' || (prefix === '' && local === 'xmlns');
}

/** The attributes with their namespaces, without declarations; undefined where a prefix is unknown or declared twice. */
function resolved(raw: readonly RawAttribute[], scope: Scope): readonly XmlAttribute[] | undefined {
  const declared = raw.filter(isDeclaration);
  if (new Set(declared.map(({ prefix, local }) => `${prefix}:${local}`)).size < declared.length) return undefined;
  const attributes: XmlAttribute[] = [];
  for (const one of raw) {
    if (isDeclaration(one)) continue;
    const uri = one.prefix === '' ? '' : scope.get(one.prefix);
    if (uri === undefined) return undefined;
    attributes.push({ uri, local: one.local, value: one.value });
  }
  return attributes;
}

/** Whether a name is there twice among a few. */
function isTwice(attributes: readonly XmlAttribute[]): boolean {
  for (let at = 1; at < attributes.length; at += 1) {
    const { uri, local } = attributes[at] as XmlAttribute;
    for (let before = 0; before < at; before += 1) {
      const other = attributes[before] as XmlAttribute;
      if (other.local === local && other.uri === uri) return true;
    }
  }
  return false;
}
