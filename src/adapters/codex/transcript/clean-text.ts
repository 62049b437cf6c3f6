import { withoutOwnOutput } from '../../../domain/own/own-output.ts';

/**
 * The user's own words, without text added by Codex and its clients: instructions, AGENTS.md, the environment, permissions, notices.
 * Empty if nothing is left.
 */
export function cleanUserText(text: string): string {
  let rest = text.trim();
  for (let next = withoutWrapper(rest); next !== rest; next = withoutWrapper(rest)) rest = next;
  const request = REQUEST.exec(rest) ?? DELEGATED.exec(rest);
  return withoutOwnOutput(
    request ? (request[1] ?? rest.slice(request.index + request[0].length)).trim() : rest,
  );
}

function withoutWrapper(text: string): string {
  const agents = AGENTS_FILE.exec(text);
  if (agents) return text.slice(agents[0].length).trim();
  const name = OPENING.exec(text)?.[1];
  if (name === undefined) return text;
  const close = `</${name}>`;
  const end = text.indexOf(close);
  return end === -1 ? '' : text.slice(end + close.length).trim();
}

const AGENTS_FILE = /^# AGENTS\.md instructions[^\n]*\n\s*<INSTRUCTIONS>[\s\S]*?<\/INSTRUCTIONS>/;
const OPENING =
  /^<(environment_context|ENVIRONMENT_CONTEXT|user_instructions|INSTRUCTIONS|permissions instructions|collaboration_mode|apps_instructions|plugins_instructions|skills_instructions|personality_spec|model_switch|skill|turn_aborted|subagent_notification|user_shell_command|hook_prompt|recommended_plugins|codex_internal_context|goal_context|rollout_budget|context_window|context_window_reminder|context_window_guidance|current_time_reminder|multi_agent_mode|persistent_mode|environments_instructions|managed_developer_instructions|model_instructions|realtime_conversation|side_conversation|agent_message_board_notification|git_attribution|image_resize_notice|content_filter_guidance|user_action)(?: [^<>]{0,300})?>/;
/** What another thread asks for. */
const DELEGATED =
  /^<codex_delegation>\s{0,9}<source_thread_id>[^<]{0,100}<\/source_thread_id>\s{0,9}<input>([\s\S]*)<\/input>/;
/** Editors list the open files first; the user's prompt follows this heading. */
const REQUEST = /^## My request for Codex:[^\S\n]*\n?/m;
