export { decideExample } from './decide-example.ts';
