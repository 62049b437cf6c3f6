/** Whether the words refer to past work, as people do who look for a session: "what did we do", "the bug I fixed". */
export function mentionsPastWork(words: string): boolean {
  return PAST_WORK.test(words);
}

const DONE =
  '(?:began|broke|built|chose|cut|did|found|got|made|met|put|ran|read|saw|sent|set|spoke|thought|took|tried|went|wrote|(?!(?:embed|exceed|feed|need|proceed|seed|speed)\\b)[a-z]{2,}ed)';

const PAST_WORK = new RegExp(
  `\\b(?:did|had|have|was|were)\\s+(?:i|we|you)\\b|\\b(?:i|we|you)\\s+(?:(?:also|already|had|have|just|last|once|only|recently|then)\\s+)*(?:was|were|${DONE})\\b`,
  'i',
);
