import type { Notice } from '../../../domain/search-result.ts';
import type { SearchNotes } from '../../../ports/machine.ts';

/** Advice that is useful, but not with every search. `doctor` and `status` always give it. */
const ADVICE = new Set(['KEYWORD_ONLY', 'NOT_RERANKED']);

/** Leaves out advice that was already given today, and records what is given now. */
export function tellOnceADay(
  notices: Notice[],
  notes: Pick<SearchNotes, 'toldOn' | 'setToldOn'>,
  nowMs: number,
): Notice[] {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return notices.filter(({ code }) => {
    if (!ADVICE.has(code)) return true;
    const isNew = notes.toldOn(code) !== day;
    if (isNew) notes.setToldOn(code, day);
    return isNew;
  });
}
