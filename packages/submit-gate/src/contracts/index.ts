import { digest, type Json, type JsonObject, WarrantError } from '@warrant/core';
import { createCelEnvironment } from '@warrant/core/cel';
import { Ajv } from 'ajv';
import type { Postcondition, PostconditionAnswer, ToolContract } from '../config-types.ts';

/** A tool's promise that its own answer carries the resulting state. */
export type PostconditionDefinition = {
  readonly name: string;
  /** JSON Schema (draft 07) that the answer must meet before it is looked at. */
  readonly result?: JsonObject;
  /** CEL over `args` and `result`: true when the answer shows what the arguments asked for. */
  readonly holds: string;
};

/**
 * Compiles a postcondition. An answer that the schema refuses or that the expression cannot be evaluated on proves nothing;
 * one that the expression calls false contradicts.
 * @throws SUBMIT_GATE_CONTRACT_INVALID for a schema or an expression that does not compile.
 */
export function createPostcondition(definition: PostconditionDefinition): Postcondition {
  const valid = compileSchema(definition);
  const condition = compileCondition(definition);
  const name = `${definition.name}@${digest(definition as unknown as Json).slice(7, 23)}`;
  const check = (args: JsonObject, result: Json): PostconditionAnswer => {
    if (!valid(result)) return { type: 'unknown', message: 'the answer has another shape than the contract says' };
    try {
      return condition.evaluate({ args, result })
        ? { type: 'holds' }
        : { type: 'fails', message: `the answer is not what '${definition.name}' promises` };
    } catch {
      return { type: 'unknown', message: 'the contract could not be evaluated on this answer' };
    }
  };
  return { name, check };
}

/** A tool contract whose `ownAnswer` is a definition in place of a function. */
export type ContractDefinition = Omit<ToolContract, 'ownAnswer'> & { readonly ownAnswer?: PostconditionDefinition };

/**
 * Compiles the contracts of several tools.
 * @throws SUBMIT_GATE_CONTRACT_INVALID
 */
export function compileContracts(definitions: { readonly [tool: string]: ContractDefinition }): {
  readonly [tool: string]: ToolContract;
} {
  return Object.fromEntries(
    Object.entries(definitions).map(([tool, { ownAnswer, ...rest }]) => [
      tool,
      ownAnswer === undefined ? rest : { ...rest, ownAnswer: createPostcondition(ownAnswer) },
    ]),
  );
}

function invalid(what: string, name: string, cause: unknown): WarrantError {
  return new WarrantError('SUBMIT_GATE_CONTRACT_INVALID', `${what} of contract '${name}' does not compile`, {
    data: { contract: name },
    cause,
  });
}

function compileSchema(definition: PostconditionDefinition): (value: Json) => boolean {
  if (definition.result === undefined) return () => true;
  try {
    const ajv = new Ajv({ strict: false, allErrors: false });
    const validate = ajv.compile(definition.result);
    return (value) => validate(value) === true;
  } catch (error) {
    throw invalid('the schema', definition.name, error);
  }
}

function compileCondition(definition: PostconditionDefinition): {
  evaluate(variables: { readonly [name: string]: unknown }): boolean;
} {
  try {
    return createCelEnvironment({ variables: { args: 'map', result: 'dyn' } }).compileCondition(definition.holds);
  } catch (error) {
    throw invalid('the expression', definition.name, error);
  }
}
