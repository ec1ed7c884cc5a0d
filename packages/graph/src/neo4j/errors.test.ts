import { WarrantError } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { isUnsure, toGraphError } from './errors.ts';

const URL = 'bolt://127.0.0.1:7687';
const driverError = (code: string, message = 'says the server, quoting `secret`'): Error =>
  Object.assign(new Error(message), { name: 'Neo4jError', code });

describe('what the driver throws', () => {
  test.each([
    ['Neo.TransientError.Transaction.DeadlockDetected', 'GRAPH_SERVER_FAILED', true],
    ['Neo.ClientError.Transaction.Terminated', 'GRAPH_SERVER_FAILED', true],
    ['Neo.ClientError.Statement.SyntaxError', 'GRAPH_SERVER_FAILED', false],
    ['Neo.DatabaseError.General.UnknownError', 'GRAPH_SERVER_FAILED', false],
    ['Neo.TransientError.General.MemoryPoolOutOfMemoryError', 'GRAPH_TOO_LARGE', false],
    ['Neo.TransientError.General.OutOfMemoryError', 'GRAPH_TOO_LARGE', false],
    ['Neo.ClientError.Statement.AccessMode', 'GRAPH_READ_ONLY', false],
    ['Neo.ClientError.Security.Unauthorized', 'GRAPH_UNAUTHORIZED', false],
    ['Neo.ClientError.Security.CredentialsExpired', 'GRAPH_UNAUTHORIZED', false],
    ['ServiceUnavailable', 'GRAPH_UNREACHABLE', true],
    ['SessionExpired', 'GRAPH_UNREACHABLE', true],
    ['ProtocolError', 'GRAPH_UNREACHABLE', false],
  ])('%s is %s, and may go away: %s', (status, code, retryable) => {
    const error = toGraphError(driverError(status), URL) as WarrantError;
    expect(error).toMatchObject({ code, retryable });
    expect(JSON.stringify(error)).not.toContain('secret');
    expect((error.cause as Error).message).toContain('secret');
  });

  test('a connection that was not had in time may be had later', () => {
    const error = toGraphError(driverError('N/A', 'Connection acquisition timed out in 4000 ms.'), URL);
    expect(error).toMatchObject({ code: 'GRAPH_UNREACHABLE', retryable: true, data: { url: URL } });
  });

  test('errors of this project and of no driver are left as they are', () => {
    for (const error of [new WarrantError('GRAPH_BUSY', 'x'), new TypeError('x'), undefined, 'text']) {
      expect(toGraphError(error, URL)).toBe(error);
    }
  });
});

test('a commit is unsure unless the server said that it failed', () => {
  expect(isUnsure(driverError('ServiceUnavailable'))).toBe(true);
  expect(isUnsure(new WarrantError('GRAPH_UNREACHABLE', 'no answer in time'))).toBe(true);
  expect(isUnsure(driverError('Neo.DatabaseError.Transaction.TransactionCommitFailed'))).toBe(true);
  expect(isUnsure(driverError('Neo.ClientError.Schema.ConstraintValidationFailed'))).toBe(false);
  expect(isUnsure(driverError('Neo.TransientError.Transaction.DeadlockDetected'))).toBe(false);
});
