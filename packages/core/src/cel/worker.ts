import { Worker } from 'node:worker_threads';
import { WarrantError } from '../error.ts';
import type { Json, JsonObject } from '../json.ts';
import { systemTimer, type Timer } from '../timer.ts';
import type { CelEnvironmentOptions, CelVariables } from './environment.ts';

export type CelWorkerOptions = Pick<CelEnvironmentOptions, 'variables' | 'limits'> & {
  /** Longest evaluation, the start of the thread included; milliseconds. @default 1000 */
  readonly timeoutMs?: number;
  /** Most memory of the thread's heap; MiB. @default 64 */
  readonly memoryMb?: number;
  /** The thread's module, where a bundler moved it. @default worker-main.js beside this module */
  readonly entry?: URL;
  /** @default systemTimer */
  readonly timer?: Timer;
};

/** Evaluates expressions of authors who are not trusted in a thread of their own, which is ended when it takes too long. */
export interface CelWorker {
  /**
   * One after the other, each with its own time.
   * @throws CEL_TIMEOUT, CEL_LIMIT (also for memory), the signal's reason, and what compiling and evaluating throw
   */
  evaluate(source: string, variables: CelVariables, options?: { readonly signal?: AbortSignal }): Promise<Json>;
  /** Ends the thread; whoever still waits is told CEL_TIMEOUT. */
  close(): Promise<void>;
}

export type WorkerRequest = Pick<CelEnvironmentOptions, 'limits'> & {
  readonly types: CelEnvironmentOptions['variables'];
  readonly source: string;
  readonly variables: CelVariables;
};
export type WorkerReply =
  | { readonly type: 'ok'; readonly value: Json }
  | { readonly type: 'failed'; readonly code: string; readonly message: string; readonly data: JsonObject };

export function createCelWorker(options: CelWorkerOptions): CelWorker {
  const timeoutMs = options.timeoutMs ?? 1000;
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const end = async (): Promise<void> => {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  };
  const ask = (request: WorkerRequest, signal: AbortSignal | undefined): Promise<Json> => {
    signal?.throwIfAborted();
    thread ??= start(options);
    return exchange(thread, request, { timeoutMs, timer: options.timer ?? systemTimer, signal, end });
  };
  return {
    evaluate: (source, variables, cancel) => {
      const request: WorkerRequest = {
        types: options.variables,
        source,
        variables,
        ...(options.limits === undefined ? {} : { limits: options.limits }),
      };
      const answer = last.then(() => ask(request, cancel?.signal));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: end,
  };
}

function start(options: CelWorkerOptions): Worker {
  const thread = new Worker(options.entry ?? new URL('./worker-main.js', import.meta.url), {
    // Nothing of the process is handed on: no environment, no arguments.
    env: {},
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb ?? 64, stackSizeMb: 2 },
  });
  thread.unref();
  return thread;
}

type Exchange = {
  readonly timeoutMs: number;
  readonly timer: Timer;
  readonly signal: AbortSignal | undefined;
  readonly end: () => Promise<void>;
};

function exchange(thread: Worker, request: WorkerRequest, options: Exchange): Promise<Json> {
  const { timeoutMs, timer, signal, end } = options;
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      cancelTimer();
      signal?.removeEventListener('abort', abort);
      thread.off('message', hear).off('error', broken).off('exit', leave);
      finish();
    };
    const fail = (error: unknown): void =>
      settle(() => {
        reject(error as Error);
        end().catch(() => undefined);
      });
    const abort = (): void => fail(signal?.reason);
    const broken = (error: unknown): void => fail(threadError(error));
    const leave = (): void => fail(timeout(timeoutMs));
    const hear = (reply: WorkerReply): void =>
      settle(() => {
        if (reply.type === 'ok') resolve(reply.value);
        else reject(new WarrantError(reply.code, reply.message, { data: reply.data }));
      });
    const cancelTimer = timer.after(timeoutMs, leave);
    signal?.addEventListener('abort', abort);
    thread.on('message', hear).on('error', broken).on('exit', leave);
    try {
      thread.postMessage(request);
    } catch {
      fail(new WarrantError('CEL_DATA', 'the data of the expression is not JSON', { data: { reason: 'not JSON' } }));
    }
  });
}

function timeout(timeoutMs: number): WarrantError<'CEL_TIMEOUT'> {
  return new WarrantError('CEL_TIMEOUT', `the expression was not evaluated within ${timeoutMs} ms`, {
    data: { timeoutMs },
  });
}

function threadError(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new WarrantError('CEL_LIMIT', 'the expression or its data go beyond a limit: memory', {
    data: { reason: 'cel.cost', limit: 'memory' },
  });
}
