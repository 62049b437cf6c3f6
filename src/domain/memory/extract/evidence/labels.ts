import type { IdeaKind } from '../../../session/ideas.ts';

/** The kind of the ideas under a heading or label, if its name says so. */
export function kindOfLabel(label: string): IdeaKind | null {
  return label === '' ? null : (LABELS.find(([, pattern]) => pattern.test(label))?.[0] ?? null);
}

const LABELS: [IdeaKind, RegExp][] = [
  ['conclusion', /^(?:the )?(?:root )?causes?\b|^(?:root cause|diagnosis|why (?:it|this|they)\b)/i],
  [
    'todo',
    /^(?:next steps?|remaining|to-?dos?|follow-?ups?|pending|still (?:open|to do|left|outstanding)|left to do|outstanding|not (?:yet )?done)\b/i,
  ],
  ['question', /^(?:open )?questions?\b/i],
  ['decision', /\bdecisions?\b|^(?:chosen|strategy|rules?|constraints?|design (?:choices?|principles?))\b/i],
  [
    'problem',
    /^(?:the )?(?:problems?|issues?|bugs?|symptoms?|blockers?|failures?|what (?:went|goes) wrong)\b(?! (?:fixed|solved|resolved))/i,
  ],
  [
    'solution',
    /^(?:the )?(?:fix(?:es)?|solutions?|resolution|workaround|(?:bug|problem|issue)s? (?:fixed|solved|resolved))\b/i,
  ],
  ['context', /^(?:left )?untouched\b|^(?:left alone|not (?:touched|changed|included))\b/i],
  [
    'conclusion',
    /^(?:summary|(?:what )?(?:was |i )?(?:changed?|implemented|done|did|added|fixed|removed|updated)|(?:\S+ )?changes?(?: made| summary)?|results?|outcomes?|conclusions?|findings?|verdict|bottom line|takeaways?|(?:the )?key (?:insight|finding|point)s?|completed|delivered|recommendations?|my recommendation|backend|frontend|answer)\b/i,
  ],
];
