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
/** If the first is no strong match, the right one is often among the next. */
const OFFERED_IF_UNSURE = 5;

/** The best sessions, a fresh start, and another search. */
export function forkOptions(results: ForkResult[]): ForkOption[] {
  const offered = results[0]?.strength === 'strong' ? OFFERED_SESSIONS : OFFERED_IF_UNSURE;
  const sessions = results.slice(0, offered).map((result): ForkOption => {
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
