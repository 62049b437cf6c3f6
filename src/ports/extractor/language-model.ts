/** A language model that reads texts of sessions. Only used if the user has turned it on. */
export interface LanguageModel {
  /** For people: the program or the server, and the model. */
  name: string;
  /**
   * One call, without tools and without a memory of earlier calls. At most a few minutes; `signal` ends it at once.
   * Null if a server that has answered others refuses this text: it would be refused again.
   * Throws SmartForkError MODEL_UNAVAILABLE. Never names a key.
   */
  ask(request: ModelRequest, signal?: AbortSignal): Promise<ModelAnswer | null>;
}

export interface ModelRequest {
  instructions: string;
  /** Redacted. */
  text: string;
}

export interface ModelAnswer {
  text: string;
  /** Tokens of the request and the answer; null if the model does not say. */
  tokens: number | null;
}
