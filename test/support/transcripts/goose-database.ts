import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { FOLDER, gooseMessages } from './small-agents.ts';

export interface GooseSession {
  id: string;
  name?: string;
  type?: string;
  messages?: ReturnType<typeof gooseMessages>;
}

/** Writes a database with the columns of Goose's schema 13 that are read. */
export function writeGoose(path: string, sessions: GooseSession[]): string {
  mkdirSync(dirname(path), { recursive: true });
  const database = openDatabase(path);
  database.exec(`
    CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '', session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, model_config_json TEXT);
    CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER, metadata_json TEXT);
  `);
  for (const { id, name = '', type = 'user', messages = gooseMessages() } of sessions) {
    database
      .prepare(
        `INSERT OR REPLACE INTO sessions (id, name, session_type, working_dir, model_config_json) VALUES (?, ?, ?, ?, '{"model_name":"some-model"}')`,
      )
      .run(id, name, type, FOLDER);
    database.prepare('DELETE FROM messages WHERE session_id = ?').run(id);
    for (const { id: messageId, role, created, content, metadata } of messages)
      database
        .prepare(
          'INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(messageId, id, role, JSON.stringify(content), created, JSON.stringify(metadata));
  }
  database.close();
  return path;
}
