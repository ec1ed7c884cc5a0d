/** What an expression and its data may cost at most. Going beyond is CEL_LIMIT, naming the field. */
export type CelLimits = {
  /** Characters of source. @default 8192 */
  readonly sourceLength: number;
  /** Nodes of the syntax tree. @default 2000 */
  readonly nodes: number;
  /** Nesting of parentheses, calls, members and literals. @default 64 */
  readonly depth: number;
  /** Elements of one list or map literal. @default 1000 */
  readonly elements: number;
  /** Comprehensions (`all`, `exists`, `exists_one`, `map`, `filter`) and `cel.bind` inside each other. @default 4 */
  readonly nesting: number;
  /** Bodies of comprehensions run by one evaluation. @default 100_000 */
  readonly iterations: number;
  /** Elements of a list, or characters of a text, that `+` may build. @default 1_000_000 */
  readonly built: number;
  /** Values in the variables that the expression reads, nested ones included. @default 200_000 */
  readonly dataValues: number;
  /** Nesting of those values. @default 200 */
  readonly dataDepth: number;
  /** Characters of text in those values. @default 16_000_000 */
  readonly dataCharacters: number;
  /** Characters of a regular expression. @default 1000 */
  readonly pattern: number;
};

export const DEFAULT_CEL_LIMITS: CelLimits = {
  sourceLength: 8192,
  nodes: 2000,
  depth: 64,
  elements: 1000,
  nesting: 4,
  iterations: 100_000,
  built: 1_000_000,
  dataValues: 200_000,
  dataDepth: 200,
  dataCharacters: 16_000_000,
  pattern: 1000,
};
