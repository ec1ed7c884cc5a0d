import { describe, expect, it } from 'vitest';
import { CODING } from './coding.ts';
import { readCommand } from './commands.ts';

const read = (line: string): string => {
  const reading = readCommand(line, CODING.commands);
  return reading === null ? 'unknown' : `${reading.kind}${reading.exact ? '' : ' piped'}`;
};

describe('readCommand', () => {
  it.each([
    ['npm test', 'check'],
    ['npx vitest run src', 'check'],
    ['CI=1 npm run test:unit', 'check'],
    ['pnpm exec vitest run', 'check'],
    ['./node_modules/.bin/jest', 'check'],
    ['cd /repo && go test ./...', 'check'],
    ['pytest -q 2>&1 | tail -5', 'check piped'],
    ['poetry run pytest', 'check'],
    ['npx tsc --noEmit && npx eslint src', 'check'],
    ['cat a.ts', 'read'],
    ['grep -rn "foo bar" src', 'read'],
    ["sed -n '1,20p' a.ts", 'read'],
    ['git diff --stat', 'read'],
    ['ls -la', 'read'],
    ['git status && git diff', 'read'],
    ['git commit -m "x y"', 'write'],
    ['git add -A && git commit -m x', 'write piped'],
    ['python check.py', 'script'],
    ['./run.sh', 'script'],
    ['make', 'script'],
    ['npx vitest -u', 'unknown'],
    ['npx eslint --fix src', 'unknown'],
    ['npm test || true', 'unknown'],
    ['npm test; rm -rf x', 'unknown'],
    ['npm test > out.txt', 'unknown'],
    ['echo $(rm x)', 'unknown'],
    ['cat `which x`', 'unknown'],
    ['rm -rf build', 'unknown'],
    ["sed -i 's/a/b/' f", 'unknown'],
    ['python -c "print(1)"', 'unknown'],
    ['find . -delete', 'unknown'],
    ['npm test & rm x', 'unknown'],
    ['cat a | tee b', 'unknown'],
    ['cat a | sh', 'unknown'],
    ['echo "unfinished', 'unknown'],
    ['', 'unknown'],
    ['npm test && rm -rf x', 'unknown'],
    ['git commit -m x && npm test', 'write piped'],
    ['npm testify', 'script'],
    ['cat a\nrm b', 'unknown'],
    ['git branch -D main', 'unknown'],
  ])('%s is %s', (line, wanted) => {
    expect(read(line)).toBe(wanted);
  });
});
