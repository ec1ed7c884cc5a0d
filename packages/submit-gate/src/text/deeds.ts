const DEED_WORDS =
  'accepted|activated|added|adjusted|applied|archived|assigned|backed up|booked|bumped|built|canceled|' +
  'cancelled|changed|cleaned up|cleared|closed|committed|completed|configured|converted|copied|corrected|' +
  'created|credited|deleted|deployed|disabled|done|downgraded|dropped|edited|enabled|exchanged|executed|' +
  'extended|extracted|filed|finished|fixed|formatted|generated|implemented|imported|installed|issued|' +
  'launched|linked|made|marked|merged|migrated|modified|moved|paid|patched|placed|posted|processed|' +
  'published|pushed|rebuilt|refactored|refunded|registered|reinstated|released|removed|renamed|repaired|' +
  'replaced|rescheduled|reserved|reset|resolved|restarted|restored|reverted|rewrote|rewritten|rolled back|' +
  'saved|scheduled|sent|set|shipped|simplified|split|submitted|switched|tagged|tested|tidied|turned on|' +
  'turned off|uninstalled|updated|upgraded|uploaded|verified|wired|written|wrote';
/** What each deed begins with. */
const FIRST_WORDS = new Set(DEED_WORDS.split('|').map((deed) => deed.split(' ')[0] as string));
/** Signs that stand in no text: a deed, `set` where `up` follows, and the end of either. */
const [DEED, SET_UP, END] = ['\ue000', '\ue001', '\ue002'];
const SIGNS = new RegExp(`[${DEED}${SET_UP}${END}]`, 'g');
const OTHER_SIGN = '\ue003';
/** One of these stands in every text with a deed that is marked; separated by `|`. */
export const MARKS = `${DEED}|${SET_UP}`;
const DEEDS = new RegExp(`\\b(?:${DEED_WORDS})\\b(?:(?<=\\bset)(?= up\\b)(?<set>)|)`, 'gi');

/** A deed in a marked text. */
export const A_DEED = `(?:${DEED}[^${END}]*${END}|${SET_UP}set${END}(?: up\\b)?)`;
/** `set` in a marked text. */
export const SET = `[${DEED}${SET_UP}]set${END}`;
/** A word and a space in a marked text. */
export const A_WORD = `(?:[${DEED}${SET_UP}]?\\w+${END}? )`;

/**
 * The text with its deeds marked, such as `changed` and `set up`: an engine reads a hundred words in one pattern once,
 * not again in each pattern that has them.
 */
export function markDeeds(text: string): string {
  const plain = text.replace(SIGNS, OTHER_SIGN);
  const words = plain.toLowerCase().split(/[^a-z]+/);
  if (!words.some((word) => FIRST_WORDS.has(word))) return plain;
  return plain.replace(DEEDS, (deed, set: string | undefined) => `${set === undefined ? DEED : SET_UP}${deed}${END}`);
}
