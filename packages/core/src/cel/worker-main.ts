import { parentPort } from 'node:worker_threads';
import { isWarrantError } from '../error.ts';
import { createCelEnvironment } from './environment.ts';
import type { WorkerReply, WorkerRequest } from './worker.ts';

/** The thread's side: an environment for each request, since the last author may have been another. */
function answer({ types, limits, source, variables }: WorkerRequest): WorkerReply {
  try {
    const environment = createCelEnvironment({ variables: types, ...(limits === undefined ? {} : { limits }) });
    return { type: 'ok', value: environment.compile(source).evaluate(variables) };
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return { type: 'failed', code: error.code, message: error.message, data: error.data };
  }
}

parentPort?.on('message', (request: WorkerRequest) => parentPort?.postMessage(answer(request)));
