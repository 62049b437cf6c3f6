import { holdsText } from '../../jsonl/holds-text.ts';
import { asRecord, asText } from '../../jsonl/read-value.ts';

/** Whether a line's kind is known from its first fields. */
export function isKnownKind(type: string, payloadType: string | null): boolean {
  return KINDS.has(type) && (payloadType === null || OF_KIND[type]?.has(payloadType) !== false);
}

/** Whether a line is of a kind that this reader does not know, and holds text. */
export function isUnknownText(line: Record<string, unknown>): boolean {
  const payload = asRecord(line.payload);
  const [type, payloadType] = [asText(line.type), asText(payload?.type)];
  if (type === null || (isKnownKind(type, payloadType) && !isUnknownItem(payload))) return false;
  return holdsText(line);
}

function isUnknownItem(payload: Record<string, unknown> | null): boolean {
  const item = payload?.type === 'item_completed' ? asText(asRecord(payload.item)?.type) : null;
  return item !== null && !COMPLETED.has(item);
}

/** The kinds that versions up to 0.169 write. */
const KINDS = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
  'token_usage_record',
  'dynamic_tools_updated',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'security_risk_score',
  'realtime_item',
]);
const COMPLETED = new Set([
  'UserMessage',
  'AgentMessage',
  'Plan',
  'Reasoning',
  'CommandExecution',
  'FileChange',
  'McpToolCall',
  'DynamicToolCall',
  'CollabAgentToolCall',
  'SubAgentActivity',
  'WebSearch',
  'ImageView',
  'ImageGeneration',
  'HookPrompt',
  'EnteredReviewMode',
  'ExitedReviewMode',
  'ContextCompaction',
  'Sleep',
]);
const ITEMS =
  'message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call local_shell_call_output web_search_call image_generation_call tool_search_call tool_search_output mcp_tool_call mcp_tool_call_output mcp_list_tools compaction compaction_summary context_compaction ghost_snapshot agent_message other';
const EVENTS =
  'user_message agent_message agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break agent_message_delta agent_message_content_delta agent_reasoning_delta token_count task_started task_complete turn_started turn_complete turn_aborted turn_diff item_started item_completed plan_update plan_delta error warning guardian_warning guardian_assessment deprecation_notice stream_error background_event session_configured environment_connected environment_disconnected thread_name_updated thread_goal_updated thread_queue_changed thread_settings_applied thread_rolled_back context_compacted model_reroute model_verification safety_buffering turn_moderation_metadata auth_recovery_started auth_recovery_completed mcp_startup_update mcp_startup_complete mcp_tool_call_begin mcp_tool_call_end web_search_begin web_search_end image_generation_begin image_generation_end exec_command_begin exec_command_output_delta exec_command_end terminal_interaction view_image_tool_call exec_approval_request request_permissions request_user_input dynamic_tool_call_request dynamic_tool_call_response elicitation_request elicitation_abandoned apply_patch_approval_request patch_apply_begin patch_apply_updated patch_apply_end shutdown_complete entered_review_mode exited_review_mode raw_response_item raw_response_completed hook_started hook_completed reasoning_content_delta reasoning_raw_content_delta collab_agent_spawn_begin collab_agent_spawn_end collab_agent_interaction_begin collab_agent_interaction_end collab_waiting_begin collab_waiting_end collab_close_begin collab_close_end collab_resume_begin collab_resume_end sub_agent_activity realtime_conversation_started realtime_conversation_realtime realtime_conversation_closed realtime_conversation_sdp realtime_conversation_list_voices_response undo_started undo_completed skills_update_available get_history_entry_response list_custom_prompts_response';
const OF_KIND: Record<string, Set<string>> = {
  response_item: new Set(ITEMS.split(' ')),
  event_msg: new Set(EVENTS.split(' ')),
};
