/** A log for people. Never throws; fields are paths, ids and numbers, never what a transcript says. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  close(): Promise<void>;
}

export type LogFields = Record<string, string | number | boolean | null>;
