import { folderFilter } from '../app/search/repository-filter.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { SessionFilter } from '../domain/search/search.ts';
import type { Agent } from '../domain/session/session.ts';
import { setFields } from '../domain/set-fields.ts';
import { parseTime } from '../domain/text/parse-time.ts';
import type { Call } from './tool.ts';

export interface FilterArguments {
  agent_type?: Agent;
  project_path?: string;
  scope?: 'project' | 'all';
  since?: string;
  until?: string;
}

export interface Filter {
  filter: SessionFilter;
  /** The project to which the sessions are restricted; null if they are not. */
  project: string | null;
}

/** A named project restricts the sessions; otherwise only `scope` does. */
export async function filterOf(args: FilterArguments, call: Call): Promise<Filter> {
  const scope = args.scope ?? (args.project_path === undefined ? 'all' : 'project');
  const project = scope === 'all' ? null : (args.project_path ?? (await call.project()));
  if (scope === 'project' && project === null) {
    throw new SmartForkError('USAGE', 'the project is unknown', {
      hint: 'Give project_path, the absolute path of the project, or scope: all.',
    });
  }
  const now = call.parts.machine.now();
  return {
    project,
    filter: setFields({
      agent: args.agent_type,
      repo: project === null ? undefined : folderFilter(project, call.parts.probe),
      since: args.since === undefined ? undefined : parseTime('since', args.since, now),
      until: args.until === undefined ? undefined : parseTime('until', args.until, now, 'end'),
    }),
  };
}
