export type { LintPoliciesOptions, PolicyFaultCode, PolicyLint } from './lint.ts';
export { lintPolicies } from './lint.ts';
export { loadPolicies } from './load-policies.ts';
export type { ParsedPolicies } from './parse-policies.ts';
export { MAX_POLICY_FILE_BYTES, parsePolicies } from './parse-policies.ts';
export type { PolicyDocument, PolicyEntry, PolicyTestDocument } from './schema.ts';
export { policyDocument, policyTestDocument } from './schema.ts';
export type { PolicyTestReport, PolicyTestResult, TestPoliciesOptions } from './test-policies.ts';
export { testPolicies } from './test-policies.ts';
