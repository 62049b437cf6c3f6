/** What an answer to a question of this form contains. */
export interface QuestionForm {
  /** Words that such an answer has, and words that it often has. */
  says: RegExp | null;
  hints: RegExp | null;
}

/** The first form that the question has; without a question word, anything may answer. */
export function formOf(question: string): QuestionForm {
  return FORMS.find(({ asks }) => asks.test(question)) ?? { says: null, hints: null };
}

const CAUSE =
  /\b(?:because|root cause|due to|caus(?:e|es|ed|ing)|reasons?|so that|culprit|(?:the|real|actual) (?:problem|issue|bug) (?:is|was)|the issue:|turn(?:s|ed) out|which (?:means|meant|is why)|that['’]s why|fell through|falls through)\b/i;
const CAUSE_HINTS =
  /\b(?:since|never|only|wasn['’]t|doesn['’]t|didn['’]t|isn['’]t|not|instead of|without|always|missing|fails?|failed|was being|were being|was (?:only|not)|no longer|otherwise|would)\b/i;
const CHANGE =
  /\b(?:fixed by|the fix|fix(?:ed|es)?|solv(?:ed|es)|resolv(?:ed|es)|chang(?:ed|es|ing)|replac(?:ed|es|ing)|remov(?:ed|es|ing)|switch(?:ed|es|ing)|mov(?:ed|es|ing)|now|instead|by \w+ing)\b|→|->/i;
const CHANGE_HINTS =
  /\b(?:add(?:ed|s|ing)?|us(?:e|es|ed|ing)|made|set|put|wrap(?:ped|s)?|so|that way|ensures?)\b/i;
const CHOICE =
  /\b(?:decid\w+|decision|chose|chosen|choose|pick(?:ed)?|go(?:ing)? with|went with|prefer\w*|recommend\w*|settled?|keep|make|no longer|agreed|let['’]s|instead|rather than|should)\b/i;

const FORMS: (QuestionForm & { asks: RegExp })[] = [
  {
    asks: /\b(?:why|reasons?|how come|root cause|caus(?:e|es|ed)|what (?:was|is|were) (?:the )?(?:\w+ )?(?:problem|issue|bug)|what (?:made|broke|went wrong))\b/i,
    says: CAUSE,
    hints: CAUSE_HINTS,
  },
  {
    asks: /\b(?:how many|how much|how long|how often|how big|how large|what (?:number|size|percentage|limit|timeout|port|version)|which (?:number|port|version))\b/i,
    says: /\d/,
    hints: null,
  },
  {
    asks: /\b(?:decide|decided|decision|choose|chose|chosen|pick|picked|settle|agree|agreed|final call|should|do we (?:still )?)\b/i,
    says: CHOICE,
    hints: null,
  },
  {
    asks: /\b(?:fix|fixed|solv|resolv|repair|work(?:ed)? around|get (?:out|rid)|prevent|avoid|instead|replace|replaced|changed?|become|became|do (?:now|about|with)|how (?:did|do|does|was|were|is|are)|what did we|what do we)\b/i,
    says: CHANGE,
    hints: CHANGE_HINTS,
  },
  {
    asks: /\bwhere\b|\b(?:file|folder|director(?:y|ies)|path)\b/i,
    says: /[/\\]\w|\w\.\w{1,4}\b/,
    hints: /\b(?:in|at|under|to|from|inside|into)\b/i,
  },
];
