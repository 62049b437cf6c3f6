/** What an answer to a question of this form contains. */
export interface QuestionForm {
  /** Words that such an answer often has. */
  says: RegExp | null;
  /** Whether it names something that the question does not: a name, a value, a path. */
  names: boolean;
}

/** How a question begins decides; without a question word, anything may answer. */
export function formOf(question: string): QuestionForm {
  const found = FORMS.find(({ asks }) => asks.test(question));
  return { says: found?.says ?? null, names: found?.names ?? false };
}

const FORMS: { asks: RegExp; says: RegExp | null; names: boolean }[] = [
  {
    asks: /\b(?:why|what\s+(?:was|is|were)\s+(?:the\s+)?(?:\w+\s+)?(?:causes?|reasons?|problem|issue|bug)|what\s+(?:caused|causes|made|broke|went\s+wrong)|how\s+come|root\s+cause)\b/i,
    says: /\b(?:because|since|due\s+to|caus(?:e|es|ed|ing)|reasons?|so\s+that|the\s+(?:real\s+|actual\s+|root\s+)?(?:problem|issue|bug|culprit)\b|was\s+(?:not|never)|wasn['’]t|doesn['’]t|didn['’]t|only|instead|rather\s+than|which\s+(?:means|meant)|fails?|failed|found\s+(?:the|it))\b/i,
    names: false,
  },
  {
    asks: /\bhow\s+(?:did|do|have|was|were|is|are)\b.*\b(?:fix|solv|resolv|repair|address|work(?:ed)?\s+around|get\s+rid|prevent|avoid|handle|mitigat)/i,
    says: /\b(?:fix(?:ed|es)?|solv(?:ed|es)|resolv(?:ed|es)|chang(?:ed|es)|replac(?:ed|es)|remov(?:ed|es)|add(?:ed|s)|switch(?:ed|es)|mov(?:ed|es)|now|instead|solution|by\s+\w+ing)\b/i,
    names: false,
  },
  {
    asks: /\b(?:how\s+(?:many|much|long|often|big|large|far)|what\s+(?:number|size|percentage|limit|timeout|port|version)|which\s+(?:port|version))\b/i,
    says: /\d/,
    names: true,
  },
  {
    asks: /\b(?:decide|decided|decision|choose|chose|chosen|pick|picked|settle|agree|agreed|instead\s+of|prefer)/i,
    says: /\b(?:decid\w+|decision|chose|chosen|choose|pick\w*|went\s+with|go\s+with|use[ds]?|using|instead|rather|prefer\w*|recommend\w*|should|keep|no\s+longer)\b/i,
    names: false,
  },
  {
    asks: /\bwhere\b/i,
    says: /\b(?:in|at|under|to|from|inside|into|on)\b.{0,200}[/.`:]|[/\\]\w|\w\.\w/i,
    names: true,
  },
  { asks: /\b(?:which|what|who|whose|when)\b/i, says: null, names: true },
];
