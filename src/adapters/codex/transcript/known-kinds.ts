import { holdsText } from '../../jsonl/holds-text.ts';
import { asRecord, asText } from '../../jsonl/read-value.ts';

/** Whether a line's kind is known from its first fields. */
export function isKnownKind(type: string, payloadType: string | null): boolean {
  return KINDS.has(type) && (payloadType === null || OF_KIND[type]?.test(payloadType) !== false);
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
const KINDS = new Set(
  (
    'session_meta response_item event_msg turn_context compacted world_state token_usage_record ' +
    'dynamic_tools_updated inter_agent_communication inter_agent_communication_metadata ' +
    'security_risk_score realtime_item'
  ).split(' '),
);
const COMPLETED = new Set(
  (
    'UserMessage AgentMessage Plan Reasoning CommandExecution FileChange McpToolCall DynamicToolCall ' +
    'CollabAgentToolCall SubAgentActivity WebSearch ImageView ImageGeneration HookPrompt ' +
    'EnteredReviewMode ExitedReviewMode ContextCompaction Sleep'
  ).split(' '),
);
const OF_KIND: Record<string, RegExp> = {
  response_item:
    /^(?:message|reasoning|(?:function|custom_tool|local_shell|mcp_tool)_call(?:_output)?|(?:web_search|image_generation)_call|tool_search_(?:call|output)|mcp_list_tools|(?:context_)?compaction|compaction_summary|ghost_snapshot|agent_message|other)$/,
  event_msg:
    /^(?:(?:user|agent)_message|agent_(?:reasoning(?:_raw_content|_section_break|_delta)?|message(?:_content)?_delta)|token_count|task_(?:started|complete)|turn_(?:started|complete|aborted|diff|moderation_metadata)|item_(?:started|completed)|plan_(?:update|delta)|(?:stream_)?error|(?:guardian_)?warning|guardian_assessment|deprecation_notice|background_event|session_configured|environment_(?:dis)?connected|thread_(?:(?:name|goal)_updated|queue_changed|settings_applied|rolled_back)|context_compacted|model_(?:reroute|verification)|safety_buffering|(?:auth_recovery|hook|undo)_(?:started|completed)|mcp_startup_(?:update|complete)|(?:mcp_tool_call|web_search|image_generation|exec_command|patch_apply|collab_(?:agent_spawn|agent_interaction|waiting|close|resume))_(?:begin|end)|exec_command_output_delta|terminal_interaction|view_image_tool_call|(?:exec|apply_patch)_approval_request|request_(?:permissions|user_input)|dynamic_tool_call_re(?:quest|sponse)|elicitation_(?:request|abandoned)|patch_apply_updated|shutdown_complete|(?:entered|exited)_review_mode|raw_response_(?:item|completed)|reasoning_(?:raw_)?content_delta|realtime_conversation_(?:started|realtime|closed|sdp|list_voices_response)|sub_agent_activity|skills_update_available|(?:get_history_entry|list_custom_prompts)_response)$/,
};
