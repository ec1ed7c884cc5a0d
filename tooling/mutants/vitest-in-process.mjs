import { GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from '@vitest/expect';
import { expect, use } from 'chai';

/** What tests import as `vitest` where they run in the process that holds the mutants, many times over. */
export { afterAll, afterEach, beforeAll, beforeEach, describe, it, onTestFinished, suite, test } from '@vitest/runner';
export { expect };

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) use(plugin);
Object.defineProperty(globalThis, GLOBAL_EXPECT, { value: expect, writable: true, configurable: true });
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect);
