/** Whether only the prompts of a session are known, from the agent's history (`…/history.jsonl#<session id>`). */
export function hasOnlyPrompts({ jsonl_path }: { jsonl_path: string }): boolean {
  return jsonl_path.includes('.jsonl#');
}
