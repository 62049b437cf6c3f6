/**
 * What a user types to continue a session in the running conversation: our skill, which loads its context. The agents have no
 * command of their own for that. Claude Code accepts a skill's bare name, even from a plugin; Codex needs the plugin's name.
 */
export function inSessionCommand(client: string, fromPlugin: boolean, sessionId: string): string {
  if (!/codex/i.test(client)) return `/fork-session ${sessionId}`;
  return `$${fromPlugin ? 'smart-fork:' : ''}fork-session ${sessionId}`;
}
