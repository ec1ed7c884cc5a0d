import { describe, expect, it } from 'vitest';
import { CODING } from './coding.ts';
import { readCommand } from './commands.ts';

const read = (line: string): string => {
  const reading = readCommand(line, CODING.commands);
  return reading === null ? 'unknown' : `${reading.kind}${reading.exact ? '' : ' piped'}`;
};

const looks = (line: string): string => {
  const reading = readCommand(line, CODING.commands);
  return reading === null ? 'unknown' : `${reading.lists ? 'names ' : ''}${reading.targets.join(' ')}`;
};

describe('what a look is of', () => {
  it.each([
    ['cat a.ts b.ts', 'a.ts b.ts'],
    ['cd src && cat a.ts', 'src/a.ts'],
    ['cd /other; cd sub; cat a.ts', '/other/sub/a.ts'],
    ['git -C /other diff', '/other'],
    ['git diff', '.'],
    ['git diff --stat', 'names .'],
    ['git log --stat -1', 'names .'],
    ['grep -n "a b" a.ts', 'a.ts'],
    ['grep -rl x src', 'names src'],
    ['grep -rn "a \\+ b" src', 'src'],
    ['rg --files src', 'names src'],
    ['cat a.ts | wc -l', 'names a.ts'],
    ['cat a.ts | grep -c x', 'names a.ts'],
    ['ls a.ts && cat b.ts', 'b.ts'],
    ['grep x a.ts && cat b.ts', 'a.ts b.ts'],
    ['cat src/*.ts', 'src'],
    ['cat *.ts', '.'],
    ['echo a.ts', 'names '],
  ])('%s looks at %s', (line, wanted) => {
    expect(looks(line)).toBe(wanted);
  });
});

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
    ['git add -A && git commit -m x', 'write'],
    ['python check.py', 'script'],
    ['./run.sh', 'script'],
    ['make', 'script'],
    ['npx vitest -u', 'unknown'],
    ['npx eslint --fix src', 'unknown'],
    ['npm test || true', 'check piped'],
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
    ['git commit -m x && npm test', 'script piped'],
    ['npm run build && npm test', 'script piped'],
    ['rm -rf dist && npm test', 'script piped'],
    ['npm test && ./deploy.sh', 'unknown'],
    ['npm test; echo $?', 'check piped'],
    ['echo x; npm test', 'check'],
    ['cd app\nnpm test', 'check'],
    ['(cd app && npm test)', 'check'],
    ['bash -c "npm test"', 'check'],
    ['bash -c "bash -c \'bash -c x\'"', 'unknown'],
    ['timeout 60 npm -w app test', 'check'],
    ['pnpm --filter app test', 'check'],
    ['npx --yes vitest --version', 'read piped'],
    ['make test -n', 'read piped'],
    ['npm test > /dev/null 2>&1', 'check'],
    ['cat a.ts | sort | uniq', 'read piped'],
    ['cat a | sort -o b', 'unknown'],
    ['cat a | uniq - b', 'unknown'],
    ['cat src/*.ts', 'read'],
    ['git add -A && git commit -m "$(cat <<\'EOF\'\nFix it\n\nAll of $(rm x)\nEOF\n)"', 'write'],
    ['git add -A && git commit -m "$(cat <<EOF\n$(rm x)\nEOF\n)"', 'unknown'],
    ['git add -A; git commit -m x', 'write'],
    ['git commit -m x; git push', 'unknown'],
    ['cd - && cat a', 'unknown'],
    ['npm testify', 'script'],
    ['cat a\nrm b', 'unknown'],
    ['git branch -D main', 'unknown'],
  ])('%s is %s', (line, wanted) => {
    expect(read(line)).toBe(wanted);
  });
});
