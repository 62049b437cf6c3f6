/**
 * What a user types to go on from a session in the running conversation: our skill, which loads its context. The agents
 * themselves have no command for that. Claude Code takes a skill's bare name, from a plugin too; Codex wants the plugin's.
 */
export function inSessionCommand(client: string, fromPlugin: boolean, sessionId: string): string {
  if (!/codex/i.test(client)) return `/fork-session ${sessionId}`;
  return `$${fromPlugin ? 'smart-fork:' : ''}fork-session ${sessionId}`;
}
