import type { AppliedChange, SettingsChange } from '../../app/setup/plan-init.ts';
import type { AgentHome } from '../../compose/init.ts';
import type { IndexSummary } from '../../domain/result.ts';
import { actionOf } from './render-changes.ts';

/** What `init --json` and `uninstall --json` print (docs/json.md). `applied` is null when nothing was done. */
export function initReport(
  homes: AgentHome[],
  plan: SettingsChange[],
  applied: AppliedChange[] | null,
  after: { summary: IndexSummary | null; example: string | null } | null,
): string {
  return JSON.stringify({
    agents: homes.map(({ agent, home, program, plugin }) => ({ agent, home, program, plugin })),
    changes: changeRecords(plan, applied),
    done: applied !== null,
    index: after?.summary ?? null,
    try: after?.example == null ? null : `smart-fork search ${after.example}`,
  });
}

export function changeRecords(plan: SettingsChange[], applied: AppliedChange[] | null) {
  return plan.map((change, i) => {
    const problem = applied?.[i]?.problem ?? change.problem;
    return {
      agent: change.editor.agent,
      part: change.editor.part,
      path: change.editor.path,
      action: problem === null ? actionOf(change) : 'refused',
      backup: applied?.[i]?.backup ?? null,
      error: problem === null ? null : { code: problem.code, message: problem.message },
    };
  });
}
