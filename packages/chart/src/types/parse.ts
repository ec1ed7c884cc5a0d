import { nearest } from '@warrant/core/documents';
import { type Token, tokensOf, typesError } from './tokens.ts';

/** A type as it is written. */
export type TypeNode =
  | { readonly type: 'builtin'; readonly name: Builtin }
  | { readonly type: 'literal'; readonly value: string | number | boolean | null }
  | { readonly type: 'named'; readonly name: string; readonly at: Token }
  | { readonly type: 'array'; readonly item: TypeNode }
  | { readonly type: 'union'; readonly options: readonly TypeNode[] }
  | { readonly type: 'object'; readonly fields: readonly Field[]; readonly rest: TypeNode | undefined };

type Field = { readonly name: string; readonly optional: boolean; readonly value: TypeNode };
export type Builtin = 'string' | 'int' | 'float' | 'bool' | 'null' | 'any';
export type Declarations = {
  readonly types: ReadonlyMap<string, TypeNode>;
  readonly events: ReadonlyMap<string, TypeNode>;
};

const BUILTINS: Readonly<Record<string, Builtin>> = {
  string: 'string',
  int: 'int',
  float: 'float',
  number: 'float',
  bool: 'bool',
  boolean: 'bool',
  null: 'null',
  any: 'any',
  json: 'any',
};
const MAX_DEPTH = 64;

/** Reads `type Name = …;` and `event name = …;`. @throws CHART_TYPES with line and column */
export function parseDeclarations(source: string): Declarations {
  return new Parser(tokensOf(source)).declarations();
}

/** Reads one type, such as `{ id: string, urgency: int }`. @throws CHART_TYPES */
export function parseType(source: string): TypeNode {
  return new Parser(tokensOf(source)).only();
}

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  declarations(): Declarations {
    const types = new Map<string, TypeNode>();
    const events = new Map<string, TypeNode>();
    while (!this.isAtEnd()) {
      const keyword = this.word("'type' or 'event'");
      if (keyword.text !== 'type' && keyword.text !== 'event')
        throw typesError("a declaration begins with 'type' or 'event'", keyword);
      const name = keyword.text === 'event' && this.peek.type === 'string' ? this.next() : this.word('a name');
      const text = name.type === 'string' ? unquote(name) : name.text;
      if (keyword.text === 'type' && !/^[A-Z]\w*$/.test(text))
        throw typesError('the name of a type begins with a capital letter', name);
      const into = keyword.text === 'type' ? types : events;
      if (into.has(text)) throw typesError(`'${text}' is declared twice`, name);
      this.expect('=');
      into.set(text, this.type());
      if (!this.isAtEnd()) this.expect(';');
    }
    return { types, events };
  }

  only(): TypeNode {
    const node = this.type();
    if (!this.isAtEnd()) throw typesError('the type ends before this', this.peek);
    return node;
  }

  private type(): TypeNode {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw typesError('the type is nested too deeply', this.peek);
    this.takes('|');
    const first = this.position();
    const options = [this.postfix()];
    while (this.takes('|')) options.push(this.postfix());
    this.depth -= 1;
    const [only] = options;
    if (options.length > 1) return { type: 'union', options: options.map((option) => option.node) };
    if (only?.bare !== undefined) throw this.unknown(only.bare, first);
    return (only as Operand).node;
  }

  /** A lower-case word is only a literal among others: alone it is a mistyped type. */
  private unknown(word: string, at: Token): Error {
    const meant = nearest(word, Object.keys(BUILTINS));
    return typesError(`there is no type '${word}'${meant === undefined ? '' : `: did you mean '${meant}'?`}`, at);
  }

  private postfix(): Operand {
    const at = this.position();
    let operand = this.primary();
    while (this.peek.text === '[' && this.tokens[this.at + 1]?.text === ']') {
      if (operand.bare !== undefined) throw this.unknown(operand.bare, at);
      this.at += 2;
      operand = { node: { type: 'array', item: operand.node } };
    }
    return operand;
  }

  private primary(): Operand {
    const token = this.next();
    if (token.type === 'string') return { node: { type: 'literal', value: unquote(token) } };
    if (token.type === 'number') return { node: { type: 'literal', value: Number(token.text) } };
    if (token.type === 'word') return wordType(token);
    if (token.text === '{') return { node: this.object() };
    if (token.text === '(' || token.text === '[') {
      const node = this.type();
      this.expect(token.text === '(' ? ')' : ']');
      return { node: token.text === '(' ? node : { type: 'array', item: node } };
    }
    throw typesError(`expected a type, found ${token.text}`, token);
  }

  private object(): TypeNode {
    const fields: Field[] = [];
    let rest: TypeNode | undefined;
    while (!this.takes('}')) {
      if (this.takes('[')) rest = this.rest();
      else {
        const field = this.field();
        if (fields.some(({ name }) => name === field.name))
          throw typesError(`the field '${field.name}' is there twice`, this.position());
        fields.push(field);
      }
      if (!this.takes(',') && !this.takes(';') && this.peek.text !== '}')
        throw typesError("expected ',' or '}'", this.peek);
    }
    return { type: 'object', fields, rest };
  }

  private field(): Field {
    const token = this.peek.type === 'string' ? this.next() : this.word('the name of a field');
    const optional = this.takes('?');
    this.expect(':');
    return { name: token.type === 'string' ? unquote(token) : token.text, optional, value: this.type() };
  }

  /** `[string]: T`: any other field has this type. */
  private rest(): TypeNode {
    const key = this.word("'string'");
    if (key.text !== 'string') throw typesError('other fields are written [string]: Type', key);
    this.expect(']');
    this.expect(':');
    return this.type();
  }

  private get peek(): Token {
    return this.tokens[this.at] as Token;
  }

  private isAtEnd(): boolean {
    return this.peek.type === 'end';
  }

  private position(): Token {
    return this.peek;
  }

  private next(): Token {
    const token = this.peek;
    if (token.type !== 'end') this.at += 1;
    return token;
  }

  private word(what: string): Token {
    const token = this.next();
    if (token.type !== 'word') throw typesError(`expected ${what}, found ${token.text}`, token);
    return token;
  }

  private takes(sign: string): boolean {
    if (this.peek.type !== 'sign' || this.peek.text !== sign) return false;
    this.at += 1;
    return true;
  }

  private expect(sign: string): void {
    if (!this.takes(sign)) throw typesError(`expected '${sign}', found ${this.peek.text}`, this.peek);
  }
}

/** `bare`: a lower-case word that names no type. */
type Operand = { readonly node: TypeNode; readonly bare?: string };

function wordType(token: Token): Operand {
  const { text } = token;
  if (text === 'true' || text === 'false') return { node: { type: 'literal', value: text === 'true' } };
  const builtin = Object.hasOwn(BUILTINS, text) ? BUILTINS[text] : undefined;
  if (builtin !== undefined) return { node: { type: 'builtin', name: builtin } };
  if (/^[A-Z]\w*$/.test(text)) return { node: { type: 'named', name: text, at: token } };
  return { node: { type: 'literal', value: text }, bare: text };
}

function unquote(token: Token): string {
  try {
    return JSON.parse(token.text) as string;
  } catch {
    throw typesError('this is no JSON text', token);
  }
}
