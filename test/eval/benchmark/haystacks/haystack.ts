/** Conversations, and questions about them. */
export interface Haystack {
  name: string;
  sessions: HaystackSession[];
  questions: HaystackQuestion[];
}

export interface HaystackSession {
  id: string;
  /** Milliseconds since the epoch, or null. */
  time: number | null;
  turns: { role: 'user' | 'assistant'; text: string }[];
}

export interface HaystackQuestion {
  id: string;
  sets: string[];
  text: string;
  /** Ids of the sessions with the evidence. */
  sessions: string[];
  time: number | null;
}
