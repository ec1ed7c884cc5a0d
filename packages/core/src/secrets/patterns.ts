/** How one kind of secret is found in text. */
export type SecretPattern = {
  readonly name: string;
  /**
   * Matches linearly in the text. With a group named `before`, what that group matched stays and the rest is the secret.
   * Flags other than `i` are ignored.
   */
  readonly pattern: RegExp;
  /** Source of an expression that every text with such a secret matches: a cheap first look. @default none, always looked for */
  readonly hint?: string;
  /** False for what only looks like a secret. */
  readonly accepts?: (secret: string) => boolean;
};

/** Not inside a longer run of the same characters, so that each run is tried once and matching stays linear. */
const START = '(?<![A-Za-z0-9_-])';
const token = (name: string, hint: string, source: string): SecretPattern => ({
  name,
  hint,
  pattern: new RegExp(`${START}${source}`),
});

const SECRET_NAME =
  'pass(?:word|wd|phrase)|pwd|secret(?:[_-]?(?:access)?[_-]?key)?|(?:api|access|auth|private|encryption|signing|account|master)[_-]?key|' +
  '(?:access|auth|session|refresh|bearer|id|api|bot|security)?[_-]?token|client[_-]?secret|credentials?|(?:set-)?cookie|authorization';

/** What stands for a value in code, templates and documentation. */
const PLACEHOLDER =
  /^(?:\$|<|\{|%|\*+$|\.\.\.|x{3,}$|process\.env|os\.environ|(?:self|this|config|options|settings|env|args|request|req)\.|(?:null|undefined|none|true|false|string|number|boolean|required|optional|redacted|changeme|example)[)\]};,]*$|[A-Za-z_$][\w$.]*\()/i;

function isLiteral(secret: string): boolean {
  return !PLACEHOLDER.test(secret) && !/^\d{1,8}$/.test(secret);
}

const hasDigit = (secret: string): boolean => /\d/.test(secret);

/** Kinds of secrets found by default. UUIDs, digests and commit names are none, unless a name beside them says so. */
export const DEFAULT_SECRET_PATTERNS: readonly SecretPattern[] = [
  { ...token('provider-key', 'sk-', 'sk-[A-Za-z0-9_-]{20,255}'), accepts: hasDigit },
  token('google-key', 'AIza', 'AIza[0-9A-Za-z_-]{35}'),
  token('google-oauth', 'ya29', 'ya29\\.[0-9A-Za-z_-]{20,2000}'),
  token('aws-key-id', 'A[KSBC][ICA]A', '(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])'),
  token('github', 'gh[pousr]_', 'gh[pousr]_[A-Za-z0-9]{30,255}'),
  token('github-fine', 'github_pat_', 'github_pat_[A-Za-z0-9_]{22,255}'),
  token('gitlab', 'glpat-|glptt-|gldt-', 'gl(?:pat|ptt|dt)-[A-Za-z0-9_-]{20,255}'),
  token('slack', 'xox[a-z]|xapp-', '(?:xox[abeoprsd]|xapp)-[A-Za-z0-9-]{10,255}'),
  {
    name: 'slack-webhook',
    hint: 'hooks\\.slack\\.com',
    pattern: /(?<before>hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,255}/,
  },
  token('npm', 'npm_', 'npm_[A-Za-z0-9]{36}'),
  token('pypi', 'pypi-', 'pypi-[A-Za-z0-9_-]{50,500}'),
  token('hugging-face', 'hf_', 'hf_[A-Za-z0-9]{30,60}'),
  token('groq', 'gsk_', 'gsk_[A-Za-z0-9]{20,100}'),
  token('xai', 'xai-', 'xai-[A-Za-z0-9]{20,200}'),
  token('perplexity', 'pplx-', 'pplx-[A-Za-z0-9]{20,100}'),
  token('replicate', 'r8_', 'r8_[A-Za-z0-9]{30,60}'),
  token('stripe', '(?:sk|rk)_(?:live|test)|whsec_', '(?:(?:sk|rk)_(?:live|test)|whsec)_[A-Za-z0-9]{16,255}'),
  token('sendgrid', 'SG\\.', 'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{30,64}'),
  token('twilio', 'SK[0-9a-f]{8}', 'SK[0-9a-f]{32}(?![0-9A-Za-z])'),
  token('digital-ocean', 'do[opr]_v1_', 'do[opr]_v1_[a-f0-9]{64}'),
  token('databricks', 'dapi', 'dapi[a-f0-9]{32}'),
  token('shopify', 'shp', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),
  token('vault', 'hv[sb]\\.', 'hv[sb]\\.[A-Za-z0-9_-]{24,255}'),
  token('telegram', '\\d:AA', '\\d{8,10}:AA[A-Za-z0-9_-]{32,34}'),
  token('age', 'AGE-SECRET', 'AGE-SECRET-KEY-1[0-9A-Z]{58}'),
  token('json-web-token', 'eyJ', 'eyJ[A-Za-z0-9_-]{8,8000}(?:\\.[A-Za-z0-9_-]{8,8000}){2,4}'),
  {
    name: 'bearer',
    hint: 'bearer',
    pattern: /(?<before>\bbearer[ \t]{1,8})[A-Za-z0-9._~+/=-]{16,4000}/i,
    accepts: hasDigit,
  },
  {
    name: 'authorization-header',
    hint: 'authorization',
    pattern:
      /(?<before>\bauthorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:basic|digest|token|apikey)[ \t]{1,8})[^\s"',]{6,4000}/i,
  },
  {
    name: 'connection-string',
    hint: '://',
    pattern: /(?<before>:\/\/[^\s:/?#@'"<>]{0,128}:)[^\s:/?#@'"<>]{1,256}(?=@)/,
    accepts: (secret) => !PLACEHOLDER.test(secret),
  },
  {
    name: 'assignment',
    hint: 'pass|pwd|secret|key|token|credential|cookie',
    pattern: new RegExp(
      `(?<before>(?:pass(?:word|wd|phrase)|pwd|secret|(?:api|access|auth|private|encryption|signing|account|master)[_-]?key|secret[_-]?(?:access[_-]?)?key|token|credentials?)` +
        `\\\\?["']?\\s{0,4}(?:=>|:=|=|:)\\s{0,4}\\\\?["'\`]?)(?![>=])[^\\s"'\`&,;<>\\\\]{6,4000}`,
      'i',
    ),
    accepts: isLiteral,
  },
];

/** For small letters alone: an expression for both cases takes the engine many times as long to make. */
const NAMED = new RegExp(`(?:^|[_.\\s-]|(?<=[a-z0-9])(?=[a-z]))(?:${SECRET_NAME})$`);
const CAMEL = /([a-z0-9])([A-Z])/g;
const CAPITALS = /[A-Z]+/g;

/** True for a member's name whose text is a secret whatever it looks like: `DB_PASSWORD`, `apiKey`, `x-api-key`. */
export function isSecretName(name: string): boolean {
  return name.length <= 200 && NAMED.test(inSmallLetters(name.replace(CAMEL, '$1_$2')));
}

/** Letters of other scripts stay: some of them have Latin ones as their small form. */
function inSmallLetters(name: string): string {
  return name.replace(CAPITALS, (letters) => letters.toLowerCase());
}
