import neo4j from 'neo4j-driver';
import { describe, expect, test } from 'vitest';
import type { Environment } from '../src/neo4j/index.ts';

/** Statements to a server by a driver of the test's own. */
export type Server = {
  readonly run: (statement: string, parameters?: Record<string, unknown>) => Promise<readonly (readonly unknown[])[]>;
  /** What the server did to answer: its operators, and how often it looked into the database. */
  readonly profile: (
    statement: string,
    parameters: Record<string, unknown>,
  ) => Promise<{ readonly operators: readonly string[]; readonly dbHits: number }>;
  /** Runs a statement and keeps its locks until told. */
  readonly hold: (statement: string, parameters: Record<string, unknown>) => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
};
type Step = { readonly operatorType: string; readonly dbHits: number; readonly children: readonly Step[] };

function flatten(step: Step): readonly Step[] {
  return [step, ...step.children.flatMap(flatten)];
}

/** @param environment @default the server that WARRANT_NEO4J_URL names */
export function openServer(environment: Environment = process.env): Server {
  const { WARRANT_NEO4J_URL: url, WARRANT_NEO4J_USER: user, WARRANT_NEO4J_PASSWORD: password } = environment;
  const auth = neo4j.auth.basic(user ?? 'neo4j', password ?? '');
  const driver = neo4j.driver(url ?? '', auth, { disableLosslessIntegers: true });
  return {
    run: async (statement, parameters = {}) => {
      const session = driver.session();
      try {
        const { records } = await session.run(statement, parameters);
        return records.map((record) => record.keys.map((key) => record.get(key) as unknown));
      } finally {
        await session.close();
      }
    },
    profile: async (statement, parameters) => {
      const session = driver.session({ defaultAccessMode: 'READ' });
      const { summary } = await session.run(`PROFILE ${statement}`, parameters);
      await session.close();
      const steps = flatten(summary.profile as unknown as Step);
      return {
        operators: steps.map((step) => step.operatorType),
        dbHits: steps.reduce((sum, step) => sum + step.dbHits, 0),
      };
    },
    hold: async (statement, parameters) => {
      const session = driver.session();
      const transaction = await session.beginTransaction();
      await transaction.run(statement, parameters);
      return async () => {
        await transaction.rollback();
        await session.close();
      };
    },
    close: () => driver.close(),
  };
}

/** Tests that need a server: where there is none they are left out with a sentence, which CI does not accept. */
export function describeWithNeo4j(name: string, tests: () => void): void {
  if (process.env['WARRANT_NEO4J_URL'] !== undefined) describe(name, tests);
  else {
    describe(name, () => {
      test('is tested where WARRANT_NEO4J_URL names a server: always in CI', () =>
        expect(process.env['CI'] ?? '').toBe(''));
    });
  }
}
