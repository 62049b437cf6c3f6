/** Today's usage of the model that reads sessions, and its limits. */
export interface ExtractorState {
  kind: 'agent' | 'endpoint';
  model: string;
  today: { calls: number; tokens: number; ideas: number; dropped: number };
  calls_per_day: number;
  tokens_per_day: number;
}
