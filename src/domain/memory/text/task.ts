import { isTelling } from './sentences.ts';

/**
 * Whether a text says what is to be done: a clause with its verb, not a name, a place or how something is. Of other languages than
 * English, any telling text.
 */
export function isTask(text: string): boolean {
  const read = text.slice(0, LONGEST_READ);
  if (BREAKS_OFF.test(read)) return false;
  if (OUGHT.test(read)) return true;
  if (clausesOf(read).some(isImperative)) return true;
  return !ENGLISH.test(read) && isTelling(read);
}

const LONGEST_READ = 600;

function clausesOf(text: string): string[] {
  return text.split(/(?:[:;,.!)]|\s[-–—→+&]|^[-–—]|\b(?:and|then|or))\s+|\(/i).map(withoutStart);
}

/** Without marks, numbers, and the words that lead to the verb. */
function withoutStart(clause: string): string {
  return clause
    .trim()
    .replace(
      /^(?:[\s*_#>[\]"'“]|\d{1,3}[.)]|(?:optionally|now|next|first|finally|also|additionally|ok(?:ay)?|so|but|please|pls|just|properly)\b)+/i,
      '',
    );
}

/** A verb with something after it. */
function isImperative(clause: string): boolean {
  const [, verb] = COMMAND.exec(clause) ?? [];
  return verb !== undefined && VERBS.has(verb.toLowerCase());
}

const COMMAND =
  /^(?:do not|don(?:'|’)?t|never|always|(?:can|could|would|will) (?:you|we)(?: please| also)?)?\s*([a-z]+)\b(?!\s*(?:[,:?=]|is\b|are\b|was\b|$))\s*\S/i;

/** A set is ready at once; compiling a pattern of so many words takes longer than reading a session. */
const VERBS = new Set(
  `
  accept adapt add address adjust align allow amend analy[sz]e append apply archive ask assert assign attach audit avoid await
  backfill backup batch block build bump bundle cache calculate call capture center change check choose clarify clean clear clone close
  collapse collect combine commit compact compare compile complete compress compute configure confirm connect consider consolidate
  contact continue convert copy correct cover create cut debug decide declare decouple deduplicate default defer define delete deliver
  deploy deprecate derive describe design destructure detect determine develop diff disable discuss display distinguish document
  download draft drop duplicate emit enable encode encrypt end enforce enhance enrich ensure enumerate escape estimate evaluate exclude
  execute expand expose explain explore export expire extend extract fail fall fetch fill filter finali[sz]e find finish fix flag
  flatten fold follow force fork format forward gate gather generate get grant group guard handle hide highlight hook identify ignore
  implement import improve include increase index infer inform inject inline insert inspect install instruct integrate introduce
  inventory investigate invoke isolate iterate join keep label launch let limit link list load lock log look lower maintain make map
  mark match measure mention merge migrate minimi[sz]e mirror mock modify monitor mount move name narrow normali[sz]e note notify omit
  open optimi[sz]e order organi[sz]e output override pack parameteri[sz]e parse pass patch persist pick pin place plan polish populate port post
  prefer prefix prepare present preserve prevent print prioriti[sz]e probe process produce profile promote prompt propagate propose
  protect prove provide prune publish pull purge push put query queue quote raise randomi[sz]e read rebase rebuild recalculate
  receive recompute reconcile record recover redesign redirect reduce refactor refine reflect refresh refuse regenerate register reject
  release reload remove rename render reorder repair repeat replace reply report reproduce request require rerun research reset reshape
  resolve respect respond restart restore restrict retain retest rethink retire retrieve retry return reuse revert review revise rewrite
  rework rotate round route run sanitize save scan schedule score scope search secure select send separate serve set share ship show
  simplify skip snapshot sort spawn specify split squash stabili[sz]e stage standardi[sz]e start stop store stream strip style submit
  summari[sz]e support surface swap switch sync tag take talk teach tell test throw tighten toggle touch trace track train transform
  translate treat trigger trim try tune turn type unify uninstall unwrap update upgrade upload use validate verify version visuali[sz]e
  wait walk warn watch widen wire wrap write`
    .trim()
    .split(/\s+/)
    .flatMap((verb) => [verb.replace('[sz]', 's'), verb.replace('[sz]', 'z')]),
);

const OUGHT =
  /\b(?:needs? to|still needs?|must|should|ha(?:s|ve) to|(?:is|are) to be|to be (?:done|fixed|added|decided)|todo)\b/i;

/** The rest of the sentence is somewhere else. */
const BREAKS_OFF = /\b(?:to do|to|the|an?|by|of|for|with|from|in|on|at|and|or|because|that)[\s.]*$/i;

const ENGLISH = /\b(?:the|to|of|for|with|and|from|is|are|when|by|via|not|no|all|both|if|it|this)\b|→|=>/i;
