import { isTelling } from './sentences.ts';

/**
 * Whether a text states a task: a clause with a verb, not a name, a place or a state. In languages other than English, any meaningful
 * text counts.
 */
export function isTask(text: string): boolean {
  const read = text.slice(0, LONGEST_READ);
  if (BREAKS_OFF.test(read) || isRoutine(read)) return false;
  if (OUGHT.test(read)) return true;
  if (clausesOf(read).some(isImperative)) return true;
  return !ENGLISH.test(read) && isTelling(read);
}

const LONGEST_READ = 600;

/** Whether a step only checks or reports: `Run tests and lint`. With a name of what is checked, it is a task. */
export function isRoutine(text: string): boolean {
  if (!CHECKING.test(text)) return false;
  return (text.toLowerCase().match(WORD) ?? []).every((word) => ROUTINE.has(word));
}

const CHECKING =
  /^(?:now |then |finally,? )?(?:re-?)?(?:run|verify|validate|check|test|monitor|summari[sz]e|report|confirm|lint)\b/i;
const WORD = /[\p{L}\p{N}_./-]+/gu;
/** What is checked or told in every session, and the words around it. */
const ROUTINE = new Set(
  `
  run rerun re-run verify validate check monitor summarize summarise report confirm lint fix test
  tests linter linting build builds rebuild typecheck typechecks type-check type-checks typechecking types typescript suite suites
  check checks css format formatting verification validation review uat browser package install
  outcome outcomes result results progress status finding findings step steps change changes fixes
  worker workers agent agents subagent subagents handoff handoffs issue issues error errors warnings
  a an the all any and or after before of for on to with that everything still it now then finally works pass passes passing clean
  again local full focused targeted relevant remaining final existing new
  `
    .trim()
    .split(/\s+/),
);

function clausesOf(text: string): string[] {
  return text.split(/(?:[:;,.!)]|\s[-–—→+&]|^[-–—]|\b(?:and|then|or))\s+|\(/i).map(withoutStart);
}

/** Without marks, numbers, and the words before the verb. */
function withoutStart(clause: string): string {
  return clause
    .trim()
    .replace(
      /^(?:[\s*_#>[\]"'“]|\d{1,3}[.)]|(?:optionally|now|next|first|finally|also|additionally|ok(?:ay)?|so|but|please|pls|just|properly)\b)+/i,
      '',
    );
}

/** A verb followed by something. */
function isImperative(clause: string): boolean {
  const verb = COMMAND.exec(clause)?.[1]?.toLowerCase();
  return verb !== undefined && (VERBS.has(verb) || VERBS.has(verb.replace(PREFIX, '')));
}

const COMMAND =
  /^(?:do not|don(?:'|’)?t|never|always|(?:can|could|would|will) (?:you|we)(?: please| also)?)?\s*((?:[a-z]+-)?[a-z]+)\b(?!\s*(?:[,:?=]|is\b|are\b|was\b|$))\s*\S/i;

/** Prefixes of verbs: re-run, unblock, double-check. */
const PREFIX = /^(?:re-?|un|de|pre|double-|cross-|smoke-|dry-)/;

/** A set is ready at once; compiling a pattern with so many words takes longer than reading a session. */
const VERBS = new Set(
  `
  accept acknowledge activate adapt add address adjust adopt aggregate align allow amend analy[sz]e annotate announce anonymi[sz]e append
  apply approve archive ask assert assess assign attach audit automate avoid await backfill backup batch benchmark bisect block bootstrap
  bring browse build bump bundle cache calculate call capture center change chase check choose clarify classify clean clear clone close
  coalesce collapse collect combine commit communicate compact compare compile complete compose compress compute condense configure
  confirm connect consider consolidate consult contact continue convert coordinate copy correct cover create customi[sz]e cut debug
  decide declare decouple decrease decrypt deduplicate default defer define delegate delete deliver demonstrate deploy deprecate derive
  describe design destructure detach detect determine develop diagnose diff dig disable discuss dismiss dispatch display dispose
  distinguish ditch document download draft drop duplicate eliminate embed emit enable encapsulate encode encrypt end enforce enhance
  enqueue enrich ensure enumerate escape establish estimate evaluate examine exclude execute expand experiment expire explain explore
  export expose extend extract fail fall fetch figure fill filter finali[sz]e find finish fix flag flatten flush focus fold follow forbid
  force forget fork format forward freeze fuzz gate gather generate get give go grab grant group guarantee guard handle harden hide
  highlight hook hunt identify ignore implement import improve include increase index infer inform initiali[sz]e initiate inject inline
  insert inspect install instruct integrate intercept interrupt introduce invalidate inventory invert investigate invoke isolate iterate
  join keep kick kill label launch leave let leverage limit link list load locate lock log look loosen lower maintain make map mark match
  measure memoi[sz]e mention merge migrate minimi[sz]e mirror mitigate mock modify monitor mount move mutate nail name narrow
  normali[sz]e note notify obtain omit onboard open optimi[sz]e orchestrate order organi[sz]e outline output override pack package
  paginate parallelize parameteri[sz]e parse pass paste patch perform persist pick pin ping place plan polish poll populate port post
  postpone prefer prefetch prefix preload prepare present preserve prevent print prioriti[sz]e probe proceed process produce profile
  promote prompt propagate propose protect prototype prove provide provision prune publish pull purge push put query queue quote raise
  randomi[sz]e reach read rebase rebuild recalculate recap receive recommend recompute reconcile record recover redact redesign redirect
  redo reduce refactor refine reflect refresh refuse regenerate register reject relax release reload rely remind remove rename render
  reorder repair repeat replace reply report reproduce request require rerun research reset reshape resolve respect respond restart
  restore restrict retain retest rethink retire retrieve retry return reuse revert review revise rework rewrite rip rotate round route
  run sanitize save scan schedule scope score search secure select send separate serve set share ship show simplify sketch skip smooth
  snapshot sort spawn specify spell spike spin split squash stabili[sz]e stage standardi[sz]e start stop store stream streamline
  strengthen strip study style submit substitute summari[sz]e supply support suppress surface swap switch sync tackle tag take talk teach
  tear tell test throw tidy tie tighten time toggle touch trace track train transform translate treat trigger trim truncate try tune turn
  type undo unify uninstall unpin unskip unwrap update upgrade upload use validate vendor verify version visit visuali[sz]e wait walk
  warn watch weigh widen wipe wire work wrap write`
    .trim()
    .split(/\s+/)
    .flatMap((verb) => [verb.replace('[sz]', 's'), verb.replace('[sz]', 'z')]),
);

const OUGHT =
  /\b(?:needs? to|still needs?|must|should|ha(?:s|ve) to|(?:is|are) to be|to be (?:done|fixed|added|decided)|todo)\b/i;

/** An unfinished sentence. */
const BREAKS_OFF = /\b(?:to do|to|the|an?|by|of|for|with|from|in|on|at|and|or|because|that)[\s.]*$/i;

const ENGLISH = /\b(?:the|to|of|for|with|and|from|is|are|when|by|via|not|no|all|both|if|it|this)\b|→|=>/i;
