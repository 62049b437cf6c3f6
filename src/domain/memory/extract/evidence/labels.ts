import type { IdeaKind } from '../../../session/ideas.ts';

/** The kind of the ideas under a heading or label, if its name says so. */
export function kindOfLabel(label: string): IdeaKind | null {
  if (label === '') return null;
  const said = label.toLowerCase();
  return LABELS.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
}

/** Of the label in lower case: a pattern without regard to case takes twice the time to compile. */
const LABELS: [IdeaKind, RegExp][] = [
  ['conclusion', /^(?:the )?(?:root )?causes?\b|^(?:root cause|diagnosis|why (?:it|this|they)\b)/],
  [
    'todo',
    /^(?:next steps?|remaining|to-?dos?|follow-?ups?|pending|still (?:open|to do|left|outstanding)|left to do|outstanding|not (?:yet )?done)\b/,
  ],
  ['question', /^(?:open )?questions?\b/],
  ['decision', /\bdecisions?\b|^(?:chosen|strategy|rules?|constraints?|design (?:choices?|principles?))\b/],
  [
    'problem',
    /^(?:the )?(?:problems?|issues?|bugs?|symptoms?|blockers?|failures?|what (?:went|goes) wrong)\b(?! (?:fixed|solved|resolved))/,
  ],
  [
    'solution',
    /^(?:the )?(?:fix(?:es)?|solutions?|resolution|workaround|(?:bug|problem|issue)s? (?:fixed|solved|resolved))\b/,
  ],
  ['context', /^(?:left )?untouched\b|^(?:left alone|not (?:touched|changed|included))\b/],
  [
    'conclusion',
    /^(?:summary|(?:what )?(?:was |i )?(?:changed?|implemented|done|did|added|fixed|removed|updated)|(?:\S+ )?changes?(?: made| summary)?|results?|outcomes?|conclusions?|findings?|verdict|bottom line|takeaways?|(?:the )?key (?:insight|finding|point)s?|completed|delivered|recommendations?|my recommendation|backend|frontend|answer)\b/,
  ],
];
