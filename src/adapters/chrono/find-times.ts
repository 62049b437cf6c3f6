import { casual } from 'chrono-node/en';
import type { FoundDate, TimeFound } from '../../domain/query/read-times.ts';

type Result = ReturnType<typeof casual.parse>[number];
type Components = Result['start'];

/** Dates and times in an English text, in local time. Loads slowly: import it only if a text may contain one. */
export function findTimes(text: string, now: number): TimeFound[] {
  const found = casual.parse(text, new Date(now)).map(({ index, text: words, start, end }): TimeFound => {
    // chrono-node includes white space and the preposition of "on Monday"; "the end of October" is its last day.
    const lead = /^(?:on\s+|in\s+|(end of\s+))/i.exec(words);
    const skipped = lead?.[0].length ?? 0;
    return {
      index: index + skipped,
      text: words.slice(skipped).replace(/(?<![\s,])[\s,]+$/, ''),
      start: lead?.[1] === undefined ? foundDate(start) : { ...foundDate(start), unit: 'month' },
      end: end == null ? null : foundDate(end),
    };
  });
  const isFree = (index: number) =>
    !found.some((one) => one.index <= index && index < one.index + one.text.length);
  const others = [...bareYears(text), ...bareMay(text, now)].filter(({ index }) => isFree(index));
  return [...found, ...others].sort((a, b) => a.index - b.index);
}

function foundDate(components: Components): FoundDate {
  return {
    date: components.date(),
    unit: unitOf(components),
    namesMonth: components.isCertain('month'),
    namesYear: components.isCertain('year'),
  };
}

function unitOf(components: Components): FoundDate['unit'] {
  if (components.isCertain('hour')) return 'hour';
  if (components.isCertain('day') || components.isCertain('weekday')) return 'day';
  if (components.isCertain('month')) return 'month';
  return components.isCertain('year') ? 'year' : 'day';
}

/** Years on their own, which chrono-node does not recognize. */
function bareYears(text: string): TimeFound[] {
  return Array.from(text.matchAll(/(?<![\w./-])(?:19|20)\d\d(?![\w/-])/g), ({ 0: year, index }) => ({
    index,
    text: year,
    start: { date: new Date(Number(year), 0, 1), unit: 'year', namesMonth: false, namesYear: true },
    end: null,
  }));
}

/** May without a year after most prepositions, where chrono-node takes it for a verb. */
function bareMay(text: string, now: number): TimeFound[] {
  return Array.from(text.matchAll(MAY), ({ 0: may, index }) => ({
    index,
    text: may,
    start: {
      date: new Date(new Date(now).getFullYear(), 4, 1),
      unit: 'month',
      namesMonth: true,
      namesYear: false,
    },
    end: null,
  }));
}

const MAY = /\bMay\b(?<=\b(?:after|and|before|between|during|since|till|until)\s+May)/gi;
