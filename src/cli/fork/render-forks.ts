import type { ForkedBefore } from '../../domain/json/fork.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { timeAgo } from '../../domain/text/time-text.ts';
import { agentName, titleOf } from '../shared/labels.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { truncate } from '../terminal/width.ts';

/** Two lines a fork: the session and its title; when, how, and after which search. */
export function renderForks(forks: ForkedBefore[], look: Look, nowMs: number): string {
  const ink = createInk(look);
  if (forks.length === 0) return 'No forks yet.';
  return forks.flatMap((fork) => forkLines(fork, ink, nowMs)).join('\n');
}

function forkLines(fork: ForkedBefore, ink: Ink, nowMs: number): string[] {
  const { style, symbols, columns } = ink;
  const id = ink.shortId(fork.session_id);
  const title = fork.title === null ? '(not indexed)' : titleOf({ title: fork.title });
  const { result_session_id: made } = fork;
  const facts = [
    timeAgo(fork.chosen_at, nowMs),
    fork.text,
    agentName(fork.agent),
    fork.query === null ? '' : `"${sanitizeLine(fork.query)}"`,
    fork.rank === null ? '' : `result ${fork.rank}`,
    made === null
      ? ''
      : `${symbols.arrow} ${ink.shortId(made)}${fork.result_indexed ? '' : ' (not indexed yet)'}`,
  ].filter((fact) => fact !== '');
  return [
    `${style.accent(id)} ${truncate(title, columns - id.length - 1, symbols.ellipsis)}`,
    style.dim(`  ${truncate(facts.join(symbols.separator), columns - 2, symbols.ellipsis)}`),
  ];
}
