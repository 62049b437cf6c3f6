import { givenName, type SessionDraft } from './draft.ts';
import type { SessionRecord, TitleSource } from './session.ts';
import { joinTitle, titleOf } from './title-line.ts';
import { isTelling } from './title-sources.ts';
import { weightOf } from './title-weight.ts';

type Titled = Pick<SessionRecord, 'title' | 'title_source'>;
type Candidate = [source: TitleSource, title: string | null | undefined];

/**
 * What a session is called: the name that the user gave, else what says most about its work. A session that continues another is called
 * by what is new in it, after a plus sign.
 */
export function titleOfDraft(draft: SessionDraft): Titled {
  const custom = givenName(draft);
  if (custom && isGiven(custom, draft)) return { title: custom, title_source: 'custom' };
  const own = ownTitle(draft);
  const { inherited } = draft.titles;
  const isNamed = own?.title_source === 'ai' || own?.title_source === 'summary';
  if (inherited === undefined || own === null || isNamed) return own ?? lastResort(draft);
  return {
    title: joinTitle(`+ ${own.title}`, isTelling(own.title) ? null : inherited.prompt),
    title_source: own.title_source,
  };
}

/** Whether a name is the user's: not one that the agent makes for every session, or makes of the parent's. */
function isGiven(name: string, { titles }: SessionDraft): boolean {
  return !MADE.test(name) && titles.inherited?.names.includes(name) !== true;
}

const MADE =
  /^(?:(?:new|untitled) (?:session|chat|conversation|thread)\b.*|untitled|session|[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}|(?:session[ -])?\d{4}-\d\d-\d\d[ T\d:.Z-]*)$|\((?:branch|fork|copy)(?: \d+)?\)$/i;

function ownTitle(draft: SessionDraft): Titled | null {
  const { ai, summary, prompt, plan, answer } = draft.titles;
  const names: Candidate[] = [
    ['ai', ai],
    ['summary', summary],
  ];
  for (const [title_source, title] of names)
    if (isTelling(title) && isGiven(title, draft)) return { title, title_source };
  const work: Candidate[] = [
    ['commit', commitTitle(draft)],
    ['plan', plan],
    ['prompt', prompt],
  ];
  const best = heaviest(work);
  if (best !== null && isTelling(best.title)) return best;
  const weak = heaviest([...names, ...work]);
  if (weak === null) return answer ? { title: answer, title_source: 'answer' } : null;
  return {
    ...weak,
    title: joinTitle(weak.title, placeOf(draft, weak.title) ?? (isTelling(answer) ? answer : null)),
  };
}

/** The first commit that says something. Merges, reverts and fix-ups repeat what others say. */
function commitTitle({ commits }: SessionDraft): string | null {
  const own = commits.flatMap(({ subject }) => (REPEATING.test(subject) ? [] : [titleOf(subject)]));
  return (own.find(isTelling) ?? own[0]) || null;
}

const REPEATING = /^(?:merge\b|revert\b|fixup!|squash!|amend!|wip\b|[([]?no message)/i;

/** The first of the heaviest. */
function heaviest(candidates: Candidate[]): Titled | null {
  let best: Titled | null = null;
  for (const [title_source, title] of candidates)
    if (title && (best === null || weightOfWhole(title) > weightOfWhole(best.title)))
      best = { title, title_source };
  return best;
}

/** A title that was cut says less. */
function weightOfWhole(title: string): number {
  return weightOf(title) - (title.endsWith('…') ? 0.5 : 0);
}

/** Where a session worked, if that says something: its branch, else the first files that it changed. */
function placeOf({ branch, files }: SessionDraft, title: string): string | null {
  if (branch !== null && weightOf(branch.replace(/[-_/]/g, ' ')) >= 1) return branch;
  const names = files
    .slice(0, 2)
    .map((path) => path.split(/[\\/]/).at(-1) ?? path)
    .filter((name) => !title.toLowerCase().includes(name.toLowerCase()));
  return names.length === 0 ? null : names.join(', ');
}

function lastResort(draft: SessionDraft): Titled {
  const { first, said, inherited } = draft.titles;
  const custom = givenName(draft);
  if (custom) return { title: custom, title_source: 'custom' };
  // A prompt that was taken back is better than none.
  const prompt = first ?? said?.[0]?.first ?? inherited?.prompt;
  return prompt ? { title: prompt, title_source: 'prompt' } : { title: '(no prompt)', title_source: 'none' };
}
