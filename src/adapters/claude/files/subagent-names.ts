/** The id in the name of a subagent's transcript; null for another file. */
export function agentIn(name: string): string | null {
  return /^agent-(.{1,128})\.jsonl$/.exec(name)?.[1] ?? null;
}
