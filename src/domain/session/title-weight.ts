/** A title of this weight says what a session is about; more than `FULL` is not better. */
export const TELLING = 2;
export const FULL = 4;

/** Of the words that most sessions have: together they say less than one word of the subject. */
const MOST_COMMON = 0.9;
/** Of a name made of several words. */
const MOST_NAME = 2;

/**
 * How much a title says: each word of its subject counts 1. Fixed lists do as well as frequencies in the index, and a title does not
 * change with other sessions.
 */
export function weightOf(title: string): number {
  const plain = title
    .toLowerCase()
    .replace(/\b(?:https?:\/\/|www\.)\S+/g, ' ')
    .replace(/[^\s/]*\/(?=[^\s/])/g, '')
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}/gu, ' $& ');
  let common = 0;
  let subject = 0;
  for (const name of new Set(plain.match(NAME))) {
    const words = [...new Set(name.split(/[_.:-]+/))].map((word) => word.replace(/['’]$/, ''));
    common += words.filter(isCommon).length * 0.3;
    if (!ID.test(name)) subject += Math.min(MOST_NAME, words.filter(isSubject).length);
  }
  return Math.min(FULL, subject + Math.min(MOST_COMMON, common));
}

const NAME = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_.:-]*/gu;

function isSubject(word: string): boolean {
  return /\p{L}{2}/u.test(word) && !EMPTY.has(word) && !isCommon(word);
}

function isCommon(word: string): boolean {
  return (
    COMMON.has(word) ||
    ENDINGS.some((ending) => word.endsWith(ending) && COMMON.has(word.slice(0, -ending.length)))
  );
}

const ENDINGS = ['s', 'd', 'es', 'ed', 'ing'];

/** A hash, or an id. */
const ID = /^(?=[\da-f-]*\d)[\da-f-]{7,}$/;

const wordsOf = (text: string) => new Set(text.trim().split(/\s+/));

/** Words that steer the agent, or join others. */
const EMPTY = wordsOf(`
  always because bring bunch com correctly currently date directly double during happening https least md necessary non obsolete per
  since somehow subtle time two
  a about above actually after again all alright already also am an and another any anything are as ask at back be been before being
  below bit both but by eg especially etc fyi ie can can't cannot case could did didn't different do does doesn't doing don't done each else even ever every
  everything fairly few fine first for from get gets getting give go goes going gonna good got great had happen happened happens has have
  having head hello locally twice news help here hey hi hmm how i i'd i'll i'm i've if in instead into is isn't it it's its just keep kind know last let let's
  lets like little look looking looks lot made make makes making many may maybe me might more most much must my need needed needs new
  next nice no not nothing now of off oh ok okay old on once one ones only or other our ours out over perfect please pls possible
  probably quick quickly quite rather re really recent recently right same say says see seem seems seen shall she should show so some
  something soon sorry start started still such sure take takes tell than thank thanks that that's the their them then there there's
  these they thing things think this those though through thx to today together too tried try trying up upon us use used using very
  want wanted wants was wasn't way we we'd we'll we're we've well were what what's when where whether which while who why will with
  within without won't wonder worth would wouldn't yeah yep yes yet you you'll you're you've your yours`);

/** Words of most sessions: of work on code in general. */
const COMMON = wordsOf(`
  action claude codex compet config default dev directory documentation empty enable ensure field flagg format generat git high key
  log logic low medium messag modify name necessary outdat pass pattern phase plugin prevent referenc replac reply resolut return runn
  severity sha show single skill skip string target throw true verification
  abov add address agent align analyze analyse answer app apply approach approv ask base behavior behaviour best better branch break
  broken bug build call case chang change check chore ci checkout clean cleanup clear clos close code command comment commit complet complete
  conflict content context continu continue critical correct creat create current data debug delet delete detail diff discuss doc document
  draft edit error exist expect explain explore fail failure feat feature feedback file find finding finish fix folder follow full function
  general github handl handle idea implement implementation improv improve info initial inspect instruction investigat investigate
  issue job line lint linter list local main master merg merge message method minor mov move multiple note open option origin output part
  path perform plan possible potential pr prepar prepare print problem project prompt proper provid provide pull pushing push question read
  ready rebas rebase refactor relat related releas release remot remote remov remove renam rename repo report repository request
  research resolv resolve result review run save script section session set setup simpl simple simplify small solution solv solve
  specific stag stage state status step suggestion summary support switch system task temp test text thank thought todo trigger
  type understand updat update upstream user valid verify verif version via view wip work working worktree wrong writ write`);
