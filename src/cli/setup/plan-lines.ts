import { basename, dirname } from 'node:path';
import { isChange, type SettingsChange } from '../../app/setup/plan-init.ts';
import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { HOOK_EVENTS, type HookEvent, leavesJob } from '../../domain/machine/agent-hooks.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** The files that will change, in two lines each: path and purpose. An agent's skills count as one file. */
export function summarizePlan(plan: SettingsChange[], look: Look): string {
  const ink = createInk(look);
  const changes = plan.filter((change) => isChange(change) && change.problem === null);
  const skills = changes.filter(({ editor }) => editor.part === 'skill');
  const agents = new Set(skills.map(({ editor }) => editor.agent));
  return [
    ...changes.filter(({ editor }) => editor.part !== 'skill').flatMap((change) => fileLines(change, ink)),
    ...[...agents].flatMap((agent) =>
      skillLines(
        agent,
        skills.filter(({ editor }) => editor.agent === agent),
        ink,
      ),
    ),
  ].join('\n');
}

function fileLines({ editor, before, after }: SettingsChange, ink: Ink): string[] {
  const { agent, part, path } = editor;
  const purpose =
    part === 'hooks'
      ? hooksText(editor.installed(after ?? '').hooks.map(({ event }) => event))
      : `MCP server: lets ${AGENT_ROWS[agent].name} search past sessions`;
  return itemLines(`${path}${before === null ? ' (new file)' : ''}`, purpose, ink);
}

function hooksText(events: HookEvent[]): string {
  const indexing = inOrder(events.filter(leavesJob));
  const prompts = events.every(leavesJob) ? '' : '; suggest past sessions with a prompt (UserPromptSubmit)';
  return `hooks: index each session after every answer (${indexing.join(', ')})${prompts}`;
}

/** Restores our order, because settings may list events in any order. */
function inOrder(events: HookEvent[]): string[] {
  return Object.keys(HOOK_EVENTS).filter((event) => events.some((one) => one === event));
}

function skillLines(agent: Agent, skills: SettingsChange[], ink: Ink): string[] {
  const { mark } = AGENT_ROWS[agent].skills;
  const names = skills.map(({ editor }) => mark + basename(dirname(editor.path)));
  const folder = dirname(dirname(skills[0]?.editor.path ?? ''));
  return itemLines(folder, `skills: ${names.join(', ')}`, ink);
}

function itemLines(title: string, purpose: string, { style, columns }: Ink): string[] {
  return [
    ...wrap(sanitizeLine(title), columns).map((line) => style.strong(line)),
    ...wrap(sanitizeLine(purpose), columns - 2).map((line) => `  ${line}`),
  ];
}
