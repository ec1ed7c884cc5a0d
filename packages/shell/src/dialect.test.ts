import { describe, expect, it } from 'vitest';
import { analyzeCommand } from './index.ts';

describe('PowerShell and cmd', () => {
  it.each([
    'Get-ChildItem -Recurse | Remove-Item -Force',
    'Remove-Item -Recurse C:\\temp',
    '$env:PATH = "C:\\x"',
    '[System.IO.File]::Delete("x")',
    'if ($true) { Write-Host hi }',
    'Get-Content a.txt | ForEach-Object { $_ }',
    'Invoke-WebRequest https://x.example -OutFile y',
    'del /f /q C:\\x',
    'rmdir /s /q build',
    '@echo off',
    'if exist x.txt del x.txt',
    'for %%f in (*.txt) do echo %%f',
    'echo %PATH%',
    'dir 2> nul',
    'REM remove it',
    'set /p name=Who',
  ])('are recognised and unknown: %s', (line) => {
    const analysis = analyzeCommand(line);
    expect(analysis.class).toBe('unknown');
    expect(analysis.unknowns.map(({ code }) => code)).toEqual(['foreign-shell']);
    expect(analysis.commands).toEqual([]);
  });

  it.each([
    'date +%Y%m%d',
    "printf '%s\\n' 'Remove-Item x'",
    'git commit -m "Add-Content is slow"',
    'ls -la',
    'type cat',
    'echo "%PATH%"',
    'grep -rn "Get-Item" docs',
    'cat a > null',
    'echo $HOME',
    'git log --format=%H%n',
    'copy=1',
    'rm -rf x',
  ])('are not seen in bash: %s', (line) => {
    expect(analyzeCommand(line).unknowns.map(({ code }) => code)).not.toContain('foreign-shell');
  });

  it('are not looked for when the caller knows that it is bash', () => {
    expect(analyzeCommand('Get-Item x', { dialect: 'bash' }).commands[0]?.argv).toEqual(['Get-Item', 'x']);
  });

  it('are looked for in one pass, whatever stands in the line', () => {
    // Each of these would take from ten seconds up if it were looked at from every place in it.
    for (const line of [
      '\n'.repeat(60_000),
      '\r\n'.repeat(30_000),
      '\u2028'.repeat(60_000),
      `echo %a ${'\\"'.repeat(30_000)}`,
    ])
      expect(analyzeCommand(line).unknowns.map(({ code }) => code)).not.toContain('foreign-shell');
    expect(analyzeCommand('\n\n  setlocal').unknowns.map(({ code }) => code)).toEqual(['foreign-shell']);
    expect(analyzeCommand(`del /f "a' 'b`).unknowns.map(({ code }) => code)).toEqual(['foreign-shell']);
  });
});
