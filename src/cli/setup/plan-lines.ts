import { basename, dirname } from 'node:path';
import { isChange, type SettingsChange } from '../../app/setup/plan-init.ts';
import type { AgentHome } from '../../compose/init.ts';
import { AGENT_ROWS } from '../../domain/agent/agents.ts';
import { leavesJob } from '../../domain/machine/agent-hooks.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural } from '../../domain/text/time-text.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';
import { groupChanges, unchangedLines } from './render-changes.ts';

/** A block for each agent: where it is, and a line for each file that will change. An agent's skills count as one file. */
export function summarizePlan(homes: AgentHome[], plan: SettingsChange[], look: Look): string {
  const ink = createInk(look);
  const blocks = homes.map((home) => {
    const changes = plan.filter(({ editor }) => home.editors.includes(editor));
    return [
      ...wrap(sanitizeLine(agentText(home)), ink.columns).map(ink.style.strong),
      ...groupChanges(changes, (change) => change).flatMap((group) => groupLines(group, ink)),
    ].join('\n');
  });
  return [...blocks, ...explanation(plan.filter(isChange), ink)].join('\n\n');
}

function agentText({ agent, home, program, plugin }: AgentHome): string {
  const where = program === null ? `${home} (${agent} is not on PATH)` : `${home} (${program})`;
  const more = plugin ? '; the smart-fork plugin is installed: nothing to add' : '';
  return `${AGENT_ROWS[agent].name}: ${where}${more}`;
}

function groupLines(group: SettingsChange[], ink: Ink): string[] {
  const [first] = group;
  if (first === undefined || first.problem !== null || !isChange(first))
    return unchangedLines(group, ink).map((line) => `  ${line}`);
  const { agent, part, path } = first.editor;
  const text =
    part === 'skill'
      ? `${dirname(dirname(path))}: ${plural(group.length, 'skill')}, such as ${AGENT_ROWS[agent].skills.mark}${basename(dirname(path))}`
      : `${path}${first.before === null ? ' (new file)' : ''}: ${group.map(({ editor }) => PARTS[editor.part]).join(', ')}`;
  return wrap(sanitizeLine(text), ink.columns - 2).map((line, i) => `${i === 0 ? '  ' : '    '}${line}`);
}

const PARTS = { hooks: 'hooks', server: 'MCP server', skill: 'skill' };

/** What the changes are for, once for all agents. */
function explanation(changes: SettingsChange[], { columns }: Ink): string[] {
  const has = (part: string) => changes.some(({ editor }) => editor.part === part);
  const events = changes.flatMap(({ editor, after }) =>
    editor.part === 'hooks' ? editor.installed(after ?? '').hooks.map(({ event }) => event) : [],
  );
  const suggests = events.every(leavesJob) ? '' : ', and suggest past sessions with a prompt';
  const texts = [
    has('hooks') ? `hooks index each session after every answer${suggests}` : '',
    has('server') ? 'the MCP server lets the agent search past sessions' : '',
    has('skill') ? 'skills are commands that you can type in the agent' : '',
  ].filter((text) => text !== '');
  const text = texts.join('; ');
  return text === '' ? [] : [wrap(`${text[0]?.toUpperCase()}${text.slice(1)}.`, columns).join('\n')];
}
