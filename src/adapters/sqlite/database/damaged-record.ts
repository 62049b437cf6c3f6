/** A record that SQLite can read, but this program cannot. The database that holds it adds its path and the remedy. */
export class DamagedRecordError extends Error {}
