/** A record that SQLite can read, but this program cannot. The database that holds it adds its path and the remedy. */
export class DamagedRecordError extends Error {}

/** Whether an error means that a record is damaged, which SQLite does not see. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof DamagedRecordError;
}
