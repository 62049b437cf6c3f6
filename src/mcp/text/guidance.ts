import { dirname, resolve } from 'node:path';
import { listRecentTranscripts } from '../../app/sessions/list-recent-transcripts.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import { AGENTS } from '../../domain/agent/agents.ts';
import { namesOf } from '../../domain/agent/by-agent.ts';
import type { SmartForkError } from '../../domain/errors.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural, timeAgo } from '../../domain/text/time-text.ts';
import { countLeftOut } from '../open-store.ts';
import type { Call } from '../tool.ts';

export interface Guidance {
  error: string;
  message: string;
  next_steps: string[];
  fallback_sessions: {
    session_id: string;
    project_path: string;
    last_modified: string;
    agent_type: Agent;
    title: string;
    jsonl_path: string;
  }[];
}

/** What to do if nothing can be searched (null: nothing is indexed), with this project's newest sessions, read from their transcripts. */
export async function guide(
  call: Call,
  error: SmartForkError | null,
  request: { agent?: Agent; project: string | null; limit: number; exclude: string[] },
): Promise<Guidance> {
  const limit = await call.limit();
  const folder = (limit === null ? request.project : null) ?? (await call.project());
  const place = folder === null ? null : (call.parts.probe(folder)?.root ?? resolve(folder));
  // Every folder is below the root, where an agent may start its servers.
  const root = limit === null && place !== null && dirname(place) === place ? null : place;
  const isHidden = limit !== null && root === null;
  const { found, sessions } = await listRecentTranscripts(call.parts, {
    limit: isHidden ? 0 : request.limit,
    exclude: request.exclude,
    agent: request.agent,
    folder: root ?? undefined,
  });
  const failure = call.parts.storeExists() ? error : null;
  const others = failure === null ? await countLeftOut(call) : 0;
  const nothing = others > 0 ? 'No session that you may see is indexed yet.' : 'Nothing is indexed yet.';
  return {
    error: failure?.code.toLowerCase() ?? 'not_indexed',
    message: failure?.message ?? `${nothing} Found ${plural(found, 'session')} on this machine.`,
    next_steps: nextSteps(failure, found, sessions.length),
    fallback_sessions: sessions.map(({ agent, ...session }) => ({ ...session, agent_type: agent })),
  };
}

function nextSteps(failure: SmartForkError | null, found: number, offered: number): string[] {
  if (failure !== null)
    return [
      failure.hint ?? 'Run smart-fork doctor',
      'Run smart-fork doctor to see what is wrong',
      'Call fork_detect again',
    ];
  if (found === 0)
    return [
      `Use ${namesOf(AGENTS, 'or')} first: there is no session to index`,
      'If the transcripts are elsewhere: smart-fork config set AGENT.homes \'["FOLDER"]\'',
    ];
  return [
    'Run smart-fork index in a terminal (or the reindex skill)',
    'Call fork_detect again afterwards',
    ...(offered > 0 ? ['Or choose one of the fallback sessions, the newest ones'] : []),
  ];
}

export function guidanceText(guidance: Guidance, nowMs: number): string {
  const { message, next_steps, fallback_sessions } = guidance;
  return [
    message,
    '',
    'Next steps:',
    ...next_steps.map((step, index) => `${index + 1}. ${step}`),
    ...(fallback_sessions.length === 0 ? [] : ['', 'Recent sessions:']),
    ...fallback_sessions.map(
      (session) =>
        `- ${session.session_id} ${sanitizeLine(session.title)} (${session.agent_type}, ${timeAgo(session.last_modified, nowMs)})`,
    ),
  ].join('\n');
}
