export const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

/** A query without any of these names no time. Tested before what reads times is loaded. */
const HINT = new RegExp(
  `\\b(?:recent(?:ly)?|lately|these days|not long|other day|back|yesterday|today|tonight|ago|last|past|previous|this|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|${MONTH}|20[2-9]\\d|winter|spring|summer|autumn|fall|quarter|q[1-4]|week of|half of|(?:calendar week|iso week|kw|cw) ?\\d{1,2}|christmas|xmas|new year(?:['’]?s)?|halloween|(?:older|newer|younger|recent|more|less) than|(?:over|under) .{1,12} old)\\b`,
  'i',
);

export function mayNameTime(masked: string): boolean {
  return HINT.test(masked);
}
