/** The connection could not be made, so that nothing was sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN', '57P03', '53300'];
/** Ends of a connection: by the network, by an administrator, by a crash of another backend, by recovery. */
const CUT = [
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P05',
  '25P03',
  '08000',
  '08003',
  '08006',
  '08007',
];
const CUT_MESSAGES = /connection terminated|connection ended|client has encountered a connection error|not queryable/i;
/** The server took the transaction back by itself: the same call may well succeed. */
const TAKEN_BACK = ['40001', '40P01', '55P03', '53100', '53200', '57014'];

/** What became of a statement: never sent, cut off before the answer, or taken back by the server. */
export type PostgresFailure = 'not-sent' | 'cut' | 'taken-back';

/** Undefined for an error that says something else, such as a fault in the statement. */
export function postgresFailure(error: Error): PostgresFailure | undefined {
  const code = sqlState(error) ?? '';
  if (NOT_SENT.includes(code) || /timeout exceeded when trying to connect/.test(error.message)) return 'not-sent';
  if (CUT.includes(code) || CUT_MESSAGES.test(error.message)) return 'cut';
  return TAKEN_BACK.includes(code) ? 'taken-back' : undefined;
}

/** The SQLSTATE of a server's error, or the code of the network's. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
