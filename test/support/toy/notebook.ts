import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** All sessions of the toy agent in one JSON document, which it rewrites as a whole after every message. */
export interface Notebook {
  sessions: ToySession[];
}

export interface ToySession {
  id: string;
  folder: string;
  title?: string;
  /** Counts the changes. */
  revision: number;
  /** The session it was forked from, and how many of its messages were copied. */
  parent?: { id: string; copied: number };
  messages: ToyMessage[];
}

export interface ToyMessage {
  id: string;
  at: string;
  role: 'user' | 'assistant';
  text: string;
  /** What the agent did before this answer. */
  edits?: string[];
  runs?: string[];
  commit?: { hash: string; subject: string };
}

export function notebookIn(home: string): string {
  return join(home, 'notebook.json');
}

export function readNotebook(path: string): Notebook {
  return JSON.parse(readFileSync(path, 'utf8')) as Notebook;
}

/** Replaces the file, as the toy agent does: it has another inode each time. */
export function writeNotebook(home: string, notebook: Notebook): string {
  mkdirSync(home, { recursive: true });
  const path = notebookIn(home);
  writeFileSync(`${path}.new`, JSON.stringify(notebook));
  renameSync(`${path}.new`, path);
  return path;
}

export function toySession(id: string, messages: Omit<ToyMessage, 'id' | 'at'>[]): ToySession {
  return {
    id,
    folder: '/home/dev/widgets',
    revision: 1,
    messages: messages.map((message, index) => toyMessage(id, index, message)),
  };
}

export function toyMessage(id: string, index: number, message: Omit<ToyMessage, 'id' | 'at'>): ToyMessage {
  const at = new Date(Date.UTC(2026, 6, 1, 9, index)).toISOString();
  return { id: `${id.slice(0, 8)}-${index}`, at, ...message };
}
