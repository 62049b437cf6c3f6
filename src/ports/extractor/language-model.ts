/** A language model that reads text from sessions. Off unless the user enables it. */
export interface LanguageModel {
  /** For display: the program or server, and the model. */
  name: string;
  /**
   * One stateless call without tools. Takes at most a few minutes; `signal` aborts it at once.
   * Null if a server that has answered other requests refuses this text, since a retry would be refused as well.
   * Throws SmartForkError MODEL_UNAVAILABLE. Errors never contain a key.
   */
  ask(request: ModelRequest, signal?: AbortSignal): Promise<ModelAnswer | null>;
}

export interface ModelRequest {
  instructions: string;
  /** Redacted. */
  text: string;
}

interface ModelAnswer {
  text: string;
  /** Tokens of the request and the answer; null if the model does not say. */
  tokens: number | null;
}

/** How an agent's program answers one question without a session. */
export interface AgentDialect {
  /** Without tools that act, hooks, MCP servers and project settings, and without saving a session. `model`: null for its default. */
  argsFor(model: string | null, request: ModelRequest): string[];
  inputFor(request: ModelRequest): string;
  /** The answer and its token counts by name; null if the output contains no answer. */
  read(out: string): { text: string; usage: Record<string, unknown> | null } | null;
}
