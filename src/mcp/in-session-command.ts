/**
 * What a user types to go on from a session in the running conversation: our skill, which loads its context. The agent
 * itself has no command for that. Without the plugin's name before it, it is right for the plugin and for installed skills.
 */
export function inSessionCommand(sessionId: string): string {
  return `/fork-session ${sessionId}`;
}
