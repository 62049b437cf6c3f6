import type { RecallResponse } from './memory-result.ts';

/** Why what `recall` lists may not answer, unless a filter excludes what does. */
export function doubtText({ notices }: Pick<RecallResponse, 'notices'>): string {
  return notices.some(({ code }) => code === 'NOTHING_OPEN')
    ? 'Nothing open was found'
    : 'Past sessions may not say';
}
