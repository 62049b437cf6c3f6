/** A title of this weight says what a session is about; more than `FULL` is not better. */
export const TELLING = 2;
export const FULL = 4;

/** Of the words that most sessions have: together they say less than one word of the subject. */
const MOST_COMMON = 0.9;
/** Of a name made of several words. */
const MOST_NAME = 2;

/**
 * How much a title says: each word of its subject counts 1. Fixed lists need no index, and with them a title does not
 * change with other sessions.
 */
export function weightOf(title: string): number {
  const plain = title
    .toLowerCase()
    .replace(/\b(?:https?:\/\/|www\.)\S+/g, ' ')
    .replace(/(?<![^\s/])[^\s/]*\/(?=[^\s/])/g, '')
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}/gu, ' $& ');
  let common = 0;
  let subject = 0;
  for (const name of new Set(plain.match(NAME))) {
    const words = [...new Set(name.replace(EXTENSION, '').split(/[_.:-]+/))].map((word) =>
      word.replace(/['’]$/, ''),
    );
    common += words.filter(isCommon).length * 0.3;
    if (!ID.test(name)) subject += Math.min(MOST_NAME, words.filter(isSubject).length);
  }
  const most = CHORE.test(title) ? 1 : FULL;
  return Math.min(FULL, Math.min(most, subject) + Math.min(MOST_COMMON, common));
}

/** Steps before or after the work: the names of branches in them say nothing. */
const CHORE =
  /^(?:(?:please|can you|could you|ok|now|let'?s)[ ,]+){0,3}(?:(?:switch|check ?out|go back|get back)\b|(?:delete|remove|prune|clean up)\b[^.]{0,40}\bbranch)/i;

const EXTENSION = /\.[a-z]{1,5}$/;
const NAME = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_.:-]*/gu;

function isSubject(word: string): boolean {
  return /\p{L}{2}/u.test(word) && !isIn(EMPTY, word) && !isCommon(word);
}

function isCommon(word: string): boolean {
  return isIn(COMMON, word);
}

function isIn(words: Set<string>, word: string): boolean {
  return (
    words.has(word) ||
    ENDINGS.some((ending) => word.endsWith(ending) && words.has(word.slice(0, -ending.length)))
  );
}

const ENDINGS = ['s', 'd', 'es', 'ed', 'ing'];

/** A hash, or an id. */
const ID = /^(?=[\da-f-]*\d)[\da-f-]{7,}$/;

const wordsOf = (text: string) => new Set(text.trim().split(/\s+/));

/** Words that steer the agent, or join others. */
const EMPTY = wordsOf(`
  a about above actually after again basically however presumably all already alright also always am an and another any anything are as ask at back be because been
  before being below bit both bring bunch but by can can't cannot case com correctly could currently date did didn't different
  directly do does doesn't doing don't done double during each eg else especially etc even ever every everything fairly few fine first
  for from fyi get gets getting give go goes going gonna good got great had happen happened happening happens has have having head
  hello help here hey hi hmm how https i i'd i'll i'm i've ie if in instead into is isn't it it's its just keep kind know last least
  let let's lets like little locally look looking looks lot made make makes making many may maybe md me might more most much must my
  necessary need needed needs new news next nice no non not nothing now obsolete of off oh ok okay old on once one ones only or other
  our ours out over per perfect please pls possible probably quick quickly quite rather re really recent recently right same say says
  see seem seems seen shall she should show since so some somehow something soon sorry start started still subtle such sure take takes
  tell than thank thanks that that's the their them then there there's these they thing things think this those though through thx
  time to today together too tried try trying twice two up upon us use used using very want wanted wants was wasn't way we we'd we'll
  we're we've well were what what's when where whether which while who why will with within without won't wonder worth would wouldn't
  yeah yep yes yet you you'll you're you've your yours`);

/** Words of most sessions: of work on code in general. */
const COMMON = wordsOf(`
  abov action add address agent align analyse analyze answer app apply approach approv base behavior behaviour best better branch
  break broken bug build call chang change check checkout chore ci clean cleanup clear clos close code command comment commit compet
  complet complete config conflict content context continu continue correct creat create critical current data debug default delet
  delete detail dev diff directory discuss doc document documentation draft edit empty enable ensure error exist expect explain
  explore fail failure feat feature feedback field file find finding finish fix flagg folder follow format full function general
  generat git github handl handle high idea implement implementation improv improve info initial inspect instruction investigat
  investigate issue job key line lint linter list local log logic low main master medium merg merge messag message method minor modify
  mov move multiple name note open option origin outdat output part pass path pattern perform phase plan plugin potential pr prepar
  prepare prevent print problem project prompt proper provid provide pull push pushing question read ready rebas rebase refactor
  referenc relat related releas release remot remote remov remove renam rename replac reply repo report repository request research
  resolut resolv resolve result return review run runn save script section session set setup severity sha simpl simple simplify single
  skill skip small solution solv solve specific stag stage state status step string suggestion summary support switch system target
  task temp test text thought throw todo trigger true type understand updat update upstream user valid verif verification verify
  version via view wip work working worktree writ write wrong`);
