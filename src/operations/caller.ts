/** Who asks. Exclusion of the asker, the preferred repository and messages follow from it. */
export interface Caller {
  /** The ids of the conversation that asks, most precise first; empty if none asks or it is unknown. */
  running: string[];
  /** A conversation may be asking whose id is unknown: sessions that may be that conversation are left out. */
  mayBeUnknown: boolean;
  /** The folder of the project that the caller works in; null if unknown. */
  project(): Promise<string | null>;
  /** The folder the caller works in, in which paths and revisions are looked up. */
  directory: string;
  /** How the caller calls a field, for messages. */
  nameOf(field: string): string;
  /** Tells the caller something beside the answer. */
  tell(message: string): void;
  /** Asks again at each pause in typing, so that searches do not count. */
  isTyping?: boolean;
  signal?: AbortSignal;
}

/** A program that uses the library. */
export function program(directory: string): Caller {
  return {
    running: [],
    mayBeUnknown: false,
    project: async () => null,
    directory,
    nameOf: (field) => field,
    tell: () => undefined,
  };
}
