export type { InvokedChart, Session, SessionOptions } from './session.ts';
export { createSession } from './session.ts';
