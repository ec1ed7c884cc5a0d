import { isWellFormed, type Json } from '@warrant/core';
import { type DocumentPath, jsonPointer, nearest, type RawDocument } from '@warrant/core/documents';
import type { ChartFault } from '../fault.ts';

/** What reading gathers: faults, and from which value of the document each part of the chart came. */
export type YamlReading = {
  readonly document: RawDocument;
  readonly faults: ChartFault[];
  readonly origins: WeakMap<object, DocumentPath>;
};

/** Faults that are looked up; a hostile document could have ten thousands, and finding a place takes time. */
const ENOUGH = 200;

const HALF = 'the text holds half of a character of two units';

/** A value of the document with its path; what is not as it should be becomes a fault, and reading goes on. */
export class YamlNode {
  readonly value: unknown;
  readonly path: DocumentPath;
  private readonly reading: YamlReading;

  constructor(reading: YamlReading, value: unknown, path: DocumentPath) {
    this.reading = reading;
    this.value = value;
    this.path = path;
  }

  fault(code: string, message: string): void {
    if (this.reading.faults.length >= ENOUGH) return;
    const { line, column } = this.reading.document.placeOf(this.path);
    this.reading.faults.push({ code, path: jsonPointer(this.path), line, column, message });
  }

  /** Notes that the part of the chart comes from here. */
  mark<Part extends object>(part: Part): Part {
    this.reading.origins.set(part, this.path);
    return part;
  }

  get isMap(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  /** Reports that the value is of the wrong kind. */
  wrong(expected: string): void {
    this.fault('wrong-type', `expected ${expected}`);
  }

  /** Holds a map to its keys; false when it is none. */
  checkKeys(known: readonly string[]): boolean {
    if (!this.isMap) {
      this.wrong('a map');
      return false;
    }
    for (const key of Object.keys(this.value as object)) if (!known.includes(key)) this.unknownKey(key, known);
    return true;
  }

  private unknownKey(key: string, known: readonly string[]): void {
    if (this.reading.faults.length >= ENOUGH) return;
    const meant = nearest(key, known);
    const { line, column } = this.reading.document.placeOfKey(this.path, key);
    this.reading.faults.push({
      code: 'unknown-key',
      path: jsonPointer([...this.path, key]),
      line,
      column,
      message: `unknown key '${key.slice(0, 60)}' (${meant === undefined ? `known: ${known.join(', ')}` : `did you mean '${meant}'?`})`,
    });
  }

  /** The member, when it is there. */
  get(key: string): YamlNode | undefined {
    if (!this.isMap || !Object.hasOwn(this.value as object, key)) return undefined;
    return new YamlNode(this.reading, (this.value as Record<string, unknown>)[key], [...this.path, key]);
  }

  /** The items of a list; of anything else, after a fault, none. */
  items(): readonly YamlNode[] {
    if (Array.isArray(this.value))
      return this.value.map((item: unknown, index) => new YamlNode(this.reading, item, [...this.path, index]));
    this.wrong('a list');
    return [];
  }

  /** The members of a map in the order they are written. */
  members(): readonly (readonly [string, YamlNode])[] {
    if (!this.isMap) {
      this.wrong('a map');
      return [];
    }
    return Object.entries(this.value as object).map(([key, value]) => {
      const node = new YamlNode(this.reading, value, [...this.path, key]);
      // JavaScript puts such keys first, whatever the document says: the order would be lost without a word.
      if (/^(0|[1-9]\d*)$/.test(key)) node.fault('number-key', `'${key}' is a number: write this map as a list`);
      if (!isWellFormed(key)) node.fault('wrong-value', HALF);
      return [key, node] as const;
    });
  }

  /** Text as it stands; numbers and truth values count as their text, so that `cond: true` needs no quotes. */
  text(): string {
    const { value } = this;
    if (typeof value === 'string') {
      if (!isWellFormed(value)) this.fault('wrong-value', HALF);
      return value;
    }
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
    this.wrong('a text');
    return '';
  }

  textOf(key: string): string | undefined {
    return this.get(key)?.text();
  }

  /** Words of a text, or a list of words. */
  words(): readonly string[] {
    if (this.isList) return this.items().map((item) => item.text());
    return this.text()
      .split(/\s+/)
      .filter((word) => word !== '');
  }

  choice<Word extends string>(words: readonly Word[], fallback: Word): Word {
    const found = words.find((word) => word === this.value);
    if (found === undefined) this.fault('wrong-value', `expected ${words.join(' or ')}`);
    return found ?? fallback;
  }

  /** The value as JSON; what JSON cannot hold is a fault. */
  json(): Json {
    if (isJson(this.value)) return this.value;
    this.fault('wrong-value', 'this is no JSON value, or its text is not well-formed');
    return null;
  }
}

function isJson(value: unknown): value is Json {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value !== 'object') return typeof value === 'boolean';
  return value === null || Object.entries(value).every(([key, member]) => isWellFormed(key) && isJson(member));
}
