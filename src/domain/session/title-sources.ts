import { tellingTitle } from './title.ts';
import { titleOf } from './title-line.ts';
import { TELLING, weightOf } from './title-weight.ts';
import type { TranscriptEvent } from './transcript-event.ts';

/** What a session's title can be made of. Fields that are absent have not been seen. */
export interface TitleSources {
  custom: string | null;
  /** The agent's name. */
  name?: string | null;
  ai: string | null;
  summary: string | null;
  /** From the first prompt that says what the session is about, or else the one that says most. */
  prompt: string | null;
  /** From an answer, while no prompt says what the session is about. */
  answer?: string | null;
  /** The heading of the first approved plan. */
  plan?: string | null;
  /** A plan that the user has not judged yet. */
  planned?: { call: string | null; title: string };
  /** The very first prompt. */
  first?: string | null;
  /** The messages that the fields above are from, in case the user takes some of them back. */
  said?: Said[];
  /** What the session has from its parent. */
  inherited?: InheritedTitles;
}

interface Said {
  /** From 0. */
  turn: number;
  by: 'user' | 'assistant';
  title: string;
  /** The beginning of a prompt. */
  first?: string;
}

interface InheritedTitles {
  names: string[];
  /** What the parent could be called. */
  prompt: string | null;
}

type Message = Extract<TranscriptEvent, { kind: 'message' }>;

export function addMessageTitle(titles: TitleSources, message: Message, turn: number): void {
  const { role, text, inherited } = message;
  if (inherited) {
    if (role === 'user') addInherited(titles, text);
  } else if (role === 'user') {
    judgePlan(titles, text);
    addSaid(titles, { turn, by: role, title: tellingTitle(text), first: titleOf(text) });
  } else if (role === 'assistant') {
    if (!isTelling(titles.prompt)) addSaid(titles, { turn, by: role, title: tellingTitle(text) });
  }
}

/** Makes the titles again without the turns that the user took back. */
export function rewindTitles(titles: TitleSources, rewound: number[] = []): void {
  const { said = [] } = titles;
  Object.assign(titles, { prompt: null, answer: null, first: null });
  for (const one of said) if (!rewound.includes(one.turn)) takeTitle(titles, one);
}

function addSaid(titles: TitleSources, one: Said): void {
  titles.said ??= [];
  const { prompt, answer, said } = titles;
  takeTitle(titles, one);
  const isTaken = titles.prompt !== prompt || titles.answer !== answer;
  if (said.length < MAX_SAID && (isTaken || one.first)) said.push(one);
  else if (isTaken) said[MAX_SAID - 1] = one;
}

/** The first prompts are what a session is about. */
const MAX_SAID = 8;

function takeTitle(titles: TitleSources, { by, title, first }: Said): void {
  if (by === 'user') {
    titles.prompt = laterTitle(titles.prompt, title, LATER);
    titles.first ??= first || null;
  } else {
    titles.answer = laterTitle(titles.answer ?? null, title, TELLING);
  }
}

export function addGivenTitle(
  titles: TitleSources,
  event: Extract<TranscriptEvent, { kind: 'title' }>,
): void {
  const title = titleOf(event.text);
  if (event.text === '' && event.source === 'custom') titles.custom = null;
  if (title === '') return;
  if (event.inherited === true) {
    const { names } = inheritedOf(titles);
    if (!names.includes(title)) names.push(title);
  } else {
    titles[event.source] = title;
  }
}

/** A plan is approved by the result of its call or, without a call, by the next prompt. */
export function addPlanTitle(titles: TitleSources, event: Extract<TranscriptEvent, { kind: 'plan' }>): void {
  const title = tellingTitle(event.text);
  if (!event.inherited && title !== '') titles.planned = { call: event.call, title };
}

export function endPlan(titles: TitleSources, { call, failed }: { call: string; failed: boolean }): void {
  if (titles.planned?.call !== call) return;
  if (!failed) titles.plan ??= titles.planned.title;
  delete titles.planned;
}

function judgePlan(titles: TitleSources, prompt: string): void {
  if (titles.planned === undefined) return;
  if (titles.planned.call === null && APPROVAL.test(prompt)) titles.plan ??= titles.planned.title;
  delete titles.planned;
}

const APPROVAL =
  /^\s*(?:please )?(?:implement (?:the|this) plan|yes|yep|ok(?:ay)?|go(?: ahead)?|do it|lgtm|approved?|sounds good)\b/i;

function addInherited(titles: TitleSources, text: string): void {
  const inherited = inheritedOf(titles);
  inherited.prompt = laterTitle(inherited.prompt, tellingTitle(text), LATER);
}

function inheritedOf(titles: TitleSources): InheritedTitles {
  titles.inherited ??= { names: [], prompt: null };
  return titles.inherited;
}

/** A later prompt is about a detail, so it must say more than the first one need. */
const LATER = 3;

function laterTitle(known: string | null, title: string, enough: number): string | null {
  if (title === '' || isTelling(known)) return known;
  return known === null || weightOf(title) >= enough ? title : known;
}

export function isTelling(title: string | null | undefined): title is string {
  return title !== null && title !== undefined && weightOf(title) >= TELLING;
}
