import type { SqliteChange, SqliteDb } from './database.ts';
import type { SqliteValue } from './driver.ts';

/** What every Kysely builder offers; any other source of SQL text may offer it too. */
export type Compilable = { compile(): { readonly sql: string; readonly parameters: readonly unknown[] } };

/** A statement with named parameters, compiled once and run by the driver. */
export interface Query<Parameters extends object, Row> {
  readonly sql: string;
  get(db: SqliteDb, parameters: Parameters): Row | undefined;
  all(db: SqliteDb, parameters: Parameters): Row[];
  run(db: SqliteDb, parameters: Parameters): SqliteChange;
}

/** Stands in a builder where a named parameter's value will be. */
export type ParameterOf<Parameters extends object> = <Name extends keyof Parameters & string>(
  name: Name,
) => Parameters[Name];

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query whose builder runs when it is first used, and never again: building costs more than SQLite takes to answer.
 * @example compileQuery<{ name: string }, Row>((parameter) => kysely.selectFrom('graph_names').selectAll().where('key', '=', parameter('name')))
 */
export function compileQuery<Parameters extends object, Row>(
  build: (parameter: ParameterOf<Parameters>) => Compilable,
): Query<Parameters, Row> {
  let compiled: { readonly sql: string; readonly bind: (parameters: Parameters) => SqliteValue[] } | undefined;
  const compile = (): NonNullable<typeof compiled> => {
    if (compiled !== undefined) return compiled;
    const { sql, parameters } = build((name) => new Placeholder(name) as never).compile();
    compiled = {
      sql,
      bind: (values) =>
        parameters.map((value) =>
          value instanceof Placeholder
            ? (values[value.name as keyof Parameters] as SqliteValue)
            : (value as SqliteValue),
        ),
    };
    return compiled;
  };
  return {
    get sql() {
      return compile().sql;
    },
    get: (db, parameters) => {
      const { sql, bind } = compile();
      return db.prepare(sql).get<Row>(...bind(parameters));
    },
    all: (db, parameters) => {
      const { sql, bind } = compile();
      return db.prepare(sql).all<Row>(...bind(parameters));
    },
    run: (db, parameters) => {
      const { sql, bind } = compile();
      return db.prepare(sql).run(...bind(parameters));
    },
  };
}
