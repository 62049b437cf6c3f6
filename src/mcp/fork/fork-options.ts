import * as z from 'zod';
import { shortId } from '../../domain/session/session-id.ts';
import type { ForkResult } from './fork-result.ts';

/** A choice offered to the user. */
export const forkOption = z.object({
  number: z.number(),
  kind: z.enum(['session', 'fresh', 'refine']),
  label: z.string(),
  description: z.string(),
  session_id: z.string().nullable(),
  recommended: z.boolean(),
});
export type ForkOption = z.infer<typeof forkOption>;

const OFFERED_SESSIONS = 3;

/** The best three sessions, a fresh start, and another search. */
export function forkOptions(results: ForkResult[]): ForkOption[] {
  const sessions = results.slice(0, OFFERED_SESSIONS).map((result): ForkOption => {
    const sure = result.strength === null || result.strength === 'none' ? '' : `, ${result.strength}`;
    return {
      number: result.rank,
      kind: 'session',
      label: `#${result.rank}: ${shortId(result.session_id)}${result.recommended ? ' (Recommended)' : ''}`,
      description: `${result.title} - ${result.match}${sure}`,
      session_id: result.session_id,
      recommended: result.recommended,
    };
  });
  const other = { session_id: null, recommended: false };
  return [
    ...sessions,
    {
      number: sessions.length + 1,
      kind: 'fresh',
      label: 'None - start fresh',
      description: "Don't fork any session, start with no prior context",
      ...other,
    },
    {
      number: sessions.length + 2,
      kind: 'refine',
      label: 'Type something',
      description: 'Custom input or refine search',
      ...other,
    },
  ];
}
