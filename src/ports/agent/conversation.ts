/** What was said in a session, in a form that each agent can be given: prompts and answers take turns. */
export interface Conversation {
  title: string;
  messages: ConversationMessage[];
}

export interface ConversationMessage {
  role: 'user' | 'assistant';
  /** An answer contains a line for each tool call. */
  text: string;
  /** ISO 8601 UTC. */
  timestamp: string;
}

export interface CreateRequest {
  conversation: Conversation;
  /** The id of the session that had it. */
  originId: string;
  /** For the new session; an agent whose ids have another form makes its own. */
  sessionId: string;
  /** Where the new session will be resumed. */
  workingDirectory: string;
}
