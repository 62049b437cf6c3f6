/** Whether a session is known only by its prompts in the agent's history (`…/history.jsonl#<session id>`). */
export function hasOnlyPrompts({ jsonl_path }: { jsonl_path: string }): boolean {
  return jsonl_path.includes('.jsonl#');
}
