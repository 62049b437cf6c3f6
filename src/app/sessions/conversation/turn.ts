import type { SubagentSummary } from '../read-subagents.ts';

/** One turn of a conversation: the user's message, and everything the agent did until the next one. */
export interface Turn {
  index: number;
  timestamp: string | null;
  /** What the agent said before the user's message; only of a first turn whose transcript begins in the middle of a conversation. */
  before?: string;
  user: string;
  assistant: string;
  /** One line per tool call. */
  tools: string[];
  files: string[];
  /** The user took the turn back by going to an earlier message. */
  rewound?: true;
  /** The subagents that began in this turn; absent if there are none. */
  subagents?: SubagentSummary[];
}
