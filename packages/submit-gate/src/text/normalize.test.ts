import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalize } from './normalize.ts';

const W = '[\\p{L}\\p{N}_]';
const START = `(?<!${W})(?=${W})`;
const END = `(?<=${W})(?!${W})`;
const EDGE = `(?:${START}|${END})`;
const D = '\\p{Nd}';
const S = '[\\s\\u001c-\\u001f\\u0085]';
const MON = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const UNIT = '(?:ms|secs?|seconds|s|mins?|minutes|months?|mos?|m|hrs?|hours|h|days?|d|wks?|weeks?|w|yrs?|years?|y)';
const B = '[ \\t]+';
const SPACES = S.replace('\\s', '\\s--\\uFEFF');
const PLAIN: readonly (readonly [string, string])[] = [
  [`${D}{4}-${D}{2}-${D}{2}[T ]${D}{2}:${D}{2}(?::${D}{2})?(?:[.,]${D}+)?(?:Z|[+-]${D}{2}:?${D}{2})?`, '<TS>'],
  [`${START}${MON}${B}${D}{1,2}${B}${D}{1,2}:${D}{2}(?::${D}{2})?${END}`, '<TS>'],
  [`${START}(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?${B})?${D}{1,2}${B}${MON}${B}${D}{4}${END}`, '<DATE>'],
  [`${START}${MON}${B}${D}{1,2}${B}${D}{4}${END}`, '<DATE>'],
  [`${START}${D}{4}[-/]${D}{2}[-/]${D}{2}${END}`, '<DATE>'],
  [`${START}${D}{1,2}/${D}{1,2}/(?:19|20)${D}{2}${END}`, '<DATE>'],
  [`${START}${D}{1,2}:${D}{2}(?::${D}{2})?(?:[.,]${D}+)?${SPACES}*[AaPp]\\.?[Mm]\\.?${EDGE}`, '<TS>'],
  [`${START}${D}{1,2}:${D}{2}:${D}{2}(?:[.,]${D}+)?${END}`, '<TS>'],
  [`${START}${D}+${SPACES}*${UNIT}${SPACES}+ago${END}`, '<REL>'],
  [`${START}[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}${END}`, '<HEX>'],
  [`${START}0[xX][0-9a-fA-F]{6,}${END}`, '<HEX>'],
  [`${START}[0-9a-fA-F]{8,}${END}`, '<HEX>'],
];

/** The same rules as plain regular expressions, one after the other. */
function plain(text: string): string {
  let out = text;
  for (const [source, tag] of PLAIN) {
    const pattern = source.replaceAll(
      '[\\s--\\uFEFF\\u001c-\\u001f\\u0085]',
      '(?:(?!\\uFEFF)[\\s\\u001c-\\u001f\\u0085])',
    );
    out = out.replace(new RegExp(pattern, 'gu'), tag);
  }
  return out;
}

const PIECES = [
  '2024',
  '-',
  '05',
  '01',
  'T',
  ' ',
  '  ',
  '10',
  ':',
  '30',
  '15',
  '.',
  ',',
  '123',
  'Z',
  '+02:00',
  '-0500',
  'Jul',
  'Jan',
  'Thu',
  'Fri,',
  '/',
  '1',
  '19',
  '1999',
  'AM',
  'pm',
  'a.m.',
  'P.M',
  '\t',
  '0X',
  '19',
  '20',
  'ago',
  'min',
  'seconds',
  'second',
  'd',
  'wks',
  'years',
  'mo',
  'deadbeef',
  '3f2504e0',
  '4f89',
  '0x',
  'feedface',
  '0305e82c3301',
  'x',
  '_',
  'é',
  '١٢',
  '𝟘𝟙',
  '\u001c',
  '\uFEFF',
  '\n',
  '<TS>',
  '10:30:15',
  '2024-05-01T10:00:00',
  '2024/05/02',
  'Jul 10 20:47',
  '5/1/2024',
  '12345678',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  '😀',
  '\ud83d',
  '\udc00',
  'a',
  'Jul 10  2025',
  '11 Jul 2026',
];
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((list) => list.join(''));
const runs = Number(process.env['WARRANT_SOAK'] === undefined ? 4_000 : 200_000);

describe('normalize', () => {
  it.each([
    ['Jul\t10\t20:47', '<TS>'],
    ['Jul\n10 20:47', 'Jul\n10 20:47'],
    ['Thu,\t10 Jul 2026', '<DATE>'],
    ['Thu,10 Jul 2026', 'Thu,<DATE>'],
    ['2024/05-01', '<DATE>'],
    ['10:30 a.m.', '<TS>.'],
    ['10:30am.5', '<TS>5'],
    ['10:30 A.M.x', '<TS>x'],
    ['1:02:03,4', '<TS>'],
    ['1:02:03.45.6', '<TS>.6'],
    ['2024-05-01T10:00.5Z', '<TS>'],
    ['Jul 10 2:47', '<TS>'],
    ['10:30:15.5 AM', '<TS>'],
    ['0XDEADBEEF', '<HEX>'],
    ['x0x123456', 'x0x123456'],
    ['1/2/0C88', '1/2/0C88'],
    ['5.5 min ago', '5.<REL>'],
  ])('makes of %j %j', (text, wanted) => {
    expect(normalize(text)).toBe(wanted);
    expect(normalize(`${'x '.repeat(100)}${text}`)).toBe(`${'x '.repeat(100)}${wanted}`);
  });

  it('agrees with the plain regular expressions on texts made of the pieces they look for', () => {
    fc.assert(
      fc.property(pieces, (text) => normalize(text) === plain(text)),
      { numRuns: runs },
    );
  });

  it('agrees with the plain regular expressions on arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => normalize(text) === plain(text)),
      { numRuns: runs / 4 },
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(pieces, (text) => normalize(normalize(text)) === normalize(text)),
      { numRuns: runs },
    );
  });

  it('comes to an end on long texts of bait', () => {
    const baits = [
      '1',
      'a',
      '1:',
      'Jul ',
      '0x',
      '12345678-',
      '1 ',
      ' ',
      '2024-05-01 ',
      '10:30 ',
      '1'.repeat(50).concat(' s '),
    ];
    for (const bait of baits) expect(normalize(bait.repeat(Math.ceil(500_000 / bait.length)))).not.toBe('');
  });
});
