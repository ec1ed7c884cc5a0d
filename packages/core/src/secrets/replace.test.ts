import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { createSecretReplacer, replaceSecrets } from './replace.ts';

const key = 'a key of the workspace, 32 bytes';
const replace = createSecretReplacer({ key });
const MARK = /\[secret:[0-9a-f]{16}\]/;
const letters = (count: number): string => 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8'.repeat(20).slice(0, count);
const hex = (count: number): string => '0123456789abcdef'.repeat(20).slice(0, count);
/** Put together here, so that no scanner takes this file for a leak. */
const secrets: readonly string[] = [
  `sk-${letters(48)}`,
  `sk-proj-${letters(60)}`,
  `sk-ant-api03-${letters(80)}`,
  `AIza${letters(35)}`,
  `AKIA${'ABCDEFGH23456789'}`,
  `ghp_${letters(36)}`,
  `github_pat_${letters(60)}`,
  `glpat-${letters(20)}`,
  `xoxb-${'123456789012'}-${letters(24)}`,
  `npm_${letters(36)}`,
  `hf_${letters(34)}`,
  `sk_live_${letters(24)}`,
  `SG.${letters(22)}.${letters(43)}`,
  `SK${hex(32)}`,
  `${hex(10).replace(/\D/g, '')}:AA${letters(33)}`,
  `eyJ${letters(30)}.eyJ${letters(60)}.${letters(43)}`,
  `hvs.${letters(30)}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${letters(64)}\n${letters(20)}==\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\\n${letters(64)}\\n-----END OPENSSH PRIVATE KEY-----`,
];

const megabytes = process.env['WARRANT_SOAK'] === undefined ? 3 : 10;

describe('replaceSecrets', () => {
  it.each(secrets.map((secret) => [secret]))('replaces %s in the middle of a text', (secret) => {
    for (const text of [secret, `before ${secret} after`, `x="${secret}"`, `[${secret}]`, `${secret}.`]) {
      const replaced = replace(text);
      expect(replaced).toMatch(MARK);
      for (let at = 0; at + 12 <= secret.length; at += 12) {
        if (!secret.startsWith('-----')) expect(replaced).not.toContain(secret.slice(at, at + 12));
      }
    }
  });

  it.each([
    ['postgres://user:hunter2@db.example/app', 'hunter2', 'postgres://user:@db.example/app'],
    ['redis://:hunter2@cache:6379/0', 'hunter2', 'redis://:@cache:6379/0'],
    ['PASSWORD=hunter2hunter2', 'hunter2hunter2', 'PASSWORD='],
    ["db_password = 'hunter2'", 'hunter2', "db_password = ''"],
    ['{"password": "hunter2!"}', 'hunter2!', '{"password": ""}'],
    ['{\\"apiKey\\": \\"hunter22\\"}', 'hunter22', '{\\"apiKey\\": \\"\\"}'],
    [
      'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCY',
      'wJalrXUtnFEMI/K7MDENG+bPxRfiCY',
      'aws_secret_access_key = ',
    ],
    ['Authorization: Bearer abcdef1234567890abcdef', 'abcdef1234567890abcdef', 'Authorization: Bearer '],
    ['authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz', 'authorization: Basic '],
    ['x-api-key: 12ab34cd56ef', '12ab34cd56ef', 'x-api-key: '],
    ['https://x.example/?token=abcdef123456&page=2', 'abcdef123456', 'https://x.example/?token=&page=2'],
    [
      'https://hooks.slack.com/services/T000/B000/abcdefghijkl1234',
      'T000/B000/abcdefghijkl1234',
      'https://hooks.slack.com/services/',
    ],
  ])('replaces only the secret in %s', (text, secret, rest) => {
    const replaced = replace(text);
    expect(replaced).not.toContain(secret);
    expect(replaced.replace(MARK, '')).toBe(rest);
  });

  it.each([
    '550e8400-e29b-41d4-a716-446655440000',
    `sha256:${hex(64)}`,
    `commit ${hex(40)}`,
    'the password is asked for; a token limit of 4096 tokens applies',
    'password: string',
    'const token = process.env.TOKEN',
    'password=$PASSWORD',
    'password: $' + '{{ secrets.PASSWORD }}',
    'token = getToken(request)',
    'max_token: 100000',
    'http://localhost:3000/@scope/package',
    'git@github.com:owner/name.git',
    'https://user@example.com/path:1',
    'a task-oriented, risk-based approach',
    'class="sk-loading-indicator-container"',
    'the bearer understandingthesemantics',
    '/usr/lib/python3/dist-packages/keyring',
    'monkey: banana-banana',
    '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    'if (token === other) return',
  ])('leaves %s', (text) => {
    expect(replace(text)).toBe(text);
  });

  it('looks into nested values and names, and takes the names of members into account', () => {
    const secret = secrets[5] as string;
    const replaced = replace({
      list: [{ text: `use ${secret}` }],
      [secret]: 1,
      password: 'abc',
      dbPassword: 'abc',
      headers: { 'X-Api-Key': 'abcdefgh', Authorization: 'Custom abc-def', cookie: 'session=1' },
      token: 'if',
      tokens: 'abcdefghijkl',
      monkey: 'abcdefghijkl',
      keyword: 'abcdefghijkl',
      number: 5,
      nothing: null,
    }) as { readonly [name: string]: Json };
    const text = JSON.stringify(replaced);
    expect(text).not.toContain(secret);
    expect(Object.keys(replaced)[1]).toMatch(MARK);
    expect(replaced['password']).toMatch(MARK);
    expect(replaced['dbPassword']).toBe(replaced['password']);
    expect(Object.values(replaced['headers'] as object).every((value) => MARK.test(String(value)))).toBe(true);
    expect(replaced).toMatchObject({
      token: 'if',
      tokens: 'abcdefghijkl',
      monkey: 'abcdefghijkl',
      keyword: 'abcdefghijkl',
      number: 5,
      nothing: null,
    });
    const hostile = replace(JSON.parse('{"__proto__": {"password": "abcdef"}}')) as object;
    expect(Object.keys(hostile)).toEqual(['__proto__']);
    expect(JSON.stringify(hostile)).not.toContain('abcdef"');
  });

  it('keeps equal secrets equal under one key, in whatever place, and different ones different', () => {
    const [one, other] = [secrets[0] as string, secrets[1] as string];
    const marks = replace([one, `x ${one} y`, `password=${one}`, other]).map((text) => MARK.exec(text)?.[0]);
    expect(new Set(marks.slice(0, 3)).size).toBe(1);
    expect(marks[3]).not.toBe(marks[0]);
    expect(replaceSecrets(one, { key: 'another key, of 32 bytes as well' })).not.toBe(marks[0]);
    expect(replace({ password: one })).toEqual({ password: marks[0] });
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              ...secrets,
              'password=',
              'token: ',
              'Bearer ',
              '://u:',
              '@h',
              '\n',
              ' ',
              '"',
              'Authorization: Basic ',
              '[secret:0123456789abcdef]',
            ),
            fc.string(),
          ),
          { maxLength: 12 },
        ),
        (parts) => {
          const once = replace({ text: parts.join(''), password: parts[0] ?? '' });
          expect(replace(once)).toEqual(once);
        },
      ),
      { numRuns: 500, seed: 7 },
    );
  });

  it('takes more patterns and a hook', () => {
    const patterns = [{ name: 'ours', pattern: /(?<before>ticket )T-\d+/ }];
    const hook = (text: string): { start: number; end: number }[] => [
      { start: text.indexOf('blue'), end: text.indexOf('blue') + 4 },
    ];
    const replaced = replaceSecrets('ticket T-12 is blue', { key, patterns, hook });
    expect(replaced).toMatch(/^ticket \[secret:[0-9a-f]{16}\] is \[secret:[0-9a-f]{16}\]$/);
  });

  it('takes a member for a secret by its name in any case, and only ASCII letters as the same in both', () => {
    const words =
      'pass word wd phrase pwd secret access key api auth token client credential s set cookie authorization';
    const piece = fc.oneof(
      ...[0, 1, 9].map((large) =>
        fc.constantFrom(...words.split(' ')).map((word) => word.slice(0, large).toUpperCase() + word.slice(large)),
      ),
      fc.constantFrom('_', '-', '.', ' ', 'x', '1', 'ſ', '\u212a', 'İ'),
    );
    const ends =
      /(?:^|[_.\s-]|(?<=[a-z0-9])(?=[A-Z]))(?:pass(?:word|wd|phrase)|pwd|secret(?:[_-]?(?:access)?[_-]?key)?|(?:api|access|auth|private|encryption|signing|account|master)[_-]?key|(?:access|auth|session|refresh|bearer|id|api|bot|security)?[_-]?token|client[_-]?secret|credentials?|(?:set-)?cookie|authorization)$/i;
    const found = { secret: 0, plain: 0 };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const name = pieces.join('');
        const isSecret = ends.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));
        found[isSecret ? 'secret' : 'plain'] += 1;
        expect(Object.values(replace({ [name]: 'open sesame' }))).toEqual([
          isSecret ? expect.stringMatching(MARK) : 'open sesame',
        ]);
      }),
      { numRuns: 400, seed: 3 },
    );
    expect(Math.min(found.secret, found.plain)).toBeGreaterThan(30);
  });

  it('refuses a short key and a value nested too deeply', () => {
    expect(() => replaceSecrets('x', { key: 'short' })).toThrow(
      expect.objectContaining({ code: 'SECRETS_KEY_TOO_SHORT' }),
    );
    let deep: Json = 'x';
    for (let level = 0; level < 2000; level += 1) deep = [deep];
    expect(() => replace(deep)).toThrow(expect.objectContaining({ code: 'JSON_TOO_DEEP' }));
  });

  it('takes ten megabytes of ordinary text', () => {
    const text = 'The quick brown fox reads src/index.ts at line 12, and passes on. '.repeat(155_000);
    expect(replace(text)).toBe(text);
  });

  it.each([
    'a',
    'eyJ-',
    'eyJaaaaaaaaa.',
    '://a:a',
    'password=',
    'password: x ',
    '-----BEGIN PRIVATE KEY-----',
    'sk-',
    'xoxb-a-',
    'bearer  ',
    'authorization: basic ',
    'SG.aaaaaaaaaaaaaaaaaaaaaa.',
    '[secret:0123456789abcdef]',
    'AKIA',
    '12345678:AA',
    'token=x&',
    'hooks.slack.com/services/',
  ])('takes time linear in megabytes of %j', (part) => {
    // A quadratic step would take minutes, past the time that a test may take.
    expect(typeof replace(part.repeat(Math.ceil((megabytes * 1_000_000) / part.length)))).toBe('string');
  });
});
