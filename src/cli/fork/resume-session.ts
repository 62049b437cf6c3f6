import { prepareFork } from '../../app/fork/prepare-fork.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { cannotResume } from '../../domain/session/missing-parts.ts';
import { idToType } from '../../domain/session/session-id.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { createInk } from '../terminal/ink.ts';
import type { ForkJob } from './fork-job.ts';
import { renderPreflight, renderSelection } from './render-fork.ts';
import { runFirst, runHere } from './start-program.ts';

/** Resumes the session itself, in this terminal. Restores its transcript first if needed. */
export async function resumeSession({ context, deps }: ForkJob, session: SessionPayload): Promise<void> {
  const { terminal, parts, env } = context;
  const currentDirectory = process.cwd();
  const { location, flight, problem } = await prepareFork(deps, {
    session,
    currentDirectory,
    restoreNow: true,
  });
  const { resume, resumeWords: words, directory } = location;
  const { commands } = parts.sources.find(({ agent }) => agent === session.agent) ?? {};
  if (commands === undefined) throw cannotResume(session.agent, session.session_id);
  if (resume === null || words === null) {
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', problem ?? 'its transcript is not on this machine', {
      hint: `Start a session with its context: smart-fork fork ${idToType(session.session_id)} --inject`,
    });
  }
  terminal.err(renderSelection(session, terminal.errorLook, parts.machine.now(), false));
  terminal.err(renderPreflight(flight.checks, terminal.errorLook));
  terminal.err(`\n${createInk(terminal.errorLook).style.command(sanitizeLine(resume))}\n`);
  await runFirst({ env }, location);
  process.exitCode = await runHere({ words, directory, env });
}
