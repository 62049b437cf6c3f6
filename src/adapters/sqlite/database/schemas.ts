import type { Database } from './open-database.ts';
import { shrinkPoints } from './shrink-points.ts';

/**
 * The versions of a database: `steps[0]` creates version `first`, and each further step leads to the next version. A released step never
 * changes: a new version appends one. Versions before `first` were never released.
 */
export interface Schema {
  first: number;
  steps: (string | ((database: Database) => void))[];
}

/** The store's tables (`index.db`). */
export const INDEX_SCHEMA: Schema = {
  first: 7,
  steps: [
    `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('revision', '0');
  CREATE TABLE sessions (
    rowid INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    machine TEXT NOT NULL,
    repo_id TEXT NOT NULL,
    repo_key TEXT,
    repo_name TEXT NOT NULL,
    branch TEXT,
    started_at TEXT,
    ended_at TEXT,
    content_hash TEXT NOT NULL,
    stale_tokens INTEGER NOT NULL DEFAULT 0,
    payload TEXT NOT NULL
  );
  CREATE INDEX sessions_by_time ON sessions (ended_at DESC);
  CREATE INDEX sessions_stale ON sessions (rowid) WHERE stale_tokens = 1;

  -- Revisions only increase: a point with a higher revision than its session has in sent differs on the server.
  CREATE TABLE points (
    rowid INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES sessions (rowid) ON DELETE CASCADE,
    type TEXT NOT NULL,
    chunk_index INTEGER NOT NULL,
    ended_at TEXT,
    content_hash TEXT NOT NULL,
    has_vector INTEGER NOT NULL DEFAULT 0,
    payload TEXT NOT NULL,
    text_revision INTEGER NOT NULL DEFAULT 0,
    vector_revision INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX points_by_session ON points (session, type, chunk_index);
  CREATE INDEX points_without_vector ON points (type DESC, session) WHERE has_vector = 0;
  -- Counts points, and finds a session's points that have a vector, without reading the points themselves.
  CREATE INDEX points_by_vector ON points (type, has_vector, session);
  CREATE TABLE vectors (rowid INTEGER PRIMARY KEY, vector BLOB NOT NULL);
  CREATE TABLE signs (type TEXT NOT NULL, point INTEGER NOT NULL, signs BLOB NOT NULL, PRIMARY KEY (type, point)) WITHOUT ROWID;
  CREATE TABLE entities (
    name TEXT NOT NULL,
    point INTEGER NOT NULL,
    PRIMARY KEY (name, point)
  ) WITHOUT ROWID;

  -- Ideas and spans are points. Their words have their own table, so that they do not affect the ranks of chunks.
  CREATE VIRTUAL TABLE session_fts USING fts5 (tokens, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '~+_'");
  CREATE VIRTUAL TABLE chunk_fts USING fts5 (tokens, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '~+_'");
  CREATE VIRTUAL TABLE memory_fts USING fts5 (tokens, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '~+_'");
  INSERT INTO session_fts (session_fts, rank) VALUES ('hashsize', 16777216);
  INSERT INTO chunk_fts (chunk_fts, rank) VALUES ('hashsize', 16777216);
  INSERT INTO memory_fts (memory_fts, rank) VALUES ('hashsize', 16777216);
  CREATE VIRTUAL TABLE session_vocabulary USING fts5vocab (session_fts, row);
  CREATE VIRTUAL TABLE chunk_vocabulary USING fts5vocab (chunk_fts, row);
  CREATE VIRTUAL TABLE memory_vocabulary USING fts5vocab (memory_fts, row);

  -- The outbox.
  CREATE TABLE unsent (
    session_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    since INTEGER NOT NULL,
    due INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    change TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX unsent_in_order ON unsent (since);
  CREATE TABLE sent (
    session_id TEXT PRIMARY KEY,
    remote_id TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    revision INTEGER,
    vectors INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX sent_by_remote_id ON sent (remote_id);

  -- Tags of dropped sessions, kept until the sessions are indexed again, because no transcript contains them.
  CREATE TABLE kept_tags (session_id TEXT PRIMARY KEY, tags TEXT NOT NULL) WITHOUT ROWID;
  `,
    shrinkPoints,
    `
  UPDATE points SET id = unhex(id, '-');
  `,
    `
  UPDATE points SET content_hash = coalesce(unhex(substr(content_hash, 8)), content_hash);
  `,
    // Refuses what an older program writes that was running during the update. A trigger would make every insertion flush the word tables.
    `
  DELETE FROM points WHERE typeof(id) = 'text' OR typeof(payload) = 'text';
  ALTER TABLE points ADD COLUMN form TEXT GENERATED ALWAYS AS (typeof(id) || ' ' || typeof(payload)) VIRTUAL
    CONSTRAINT "smart-fork was updated: restart this program" CHECK (form = 'blob blob');
  `,
  ],
};

/** This machine's notes (`state.db`). */
export const STATE_SCHEMA: Schema = {
  first: 10,
  steps: [
    `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE cursors (
    path TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    store_id TEXT NOT NULL,
    chunking TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    inode TEXT NOT NULL,
    name TEXT,
    content_hash TEXT NOT NULL,
    fingerprint TEXT,
    progress TEXT NOT NULL
  );
  CREATE INDEX cursors_by_fingerprint ON cursors (fingerprint);
  CREATE INDEX cursors_by_session ON cursors (session_id);

  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    since INTEGER NOT NULL,
    renewed_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE forks (
    id INTEGER PRIMARY KEY,
    chosen_at TEXT NOT NULL,
    query TEXT,
    rank INTEGER,
    session_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    way TEXT NOT NULL,
    turn INTEGER,
    result_session_id TEXT,
    copied_bytes INTEGER
  );
  CREATE INDEX forks_waiting ON forks (chosen_at) WHERE result_session_id IS NULL;
  CREATE INDEX forks_turn_copies ON forks (result_session_id) WHERE way = 'turn';

  CREATE TABLE forgotten (
    session_id TEXT PRIMARY KEY,
    forgotten_at TEXT NOT NULL,
    store_id TEXT
  ) WITHOUT ROWID;

  -- Token usage recorded in transcripts. The column at is in milliseconds since the epoch.
  CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    model TEXT,
    copied INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX requests_by_session ON requests (session_id);
  CREATE TABLE counted_files (
    path TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    size INTEGER NOT NULL,
    inode TEXT NOT NULL,
    offset INTEGER NOT NULL,
    state TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX counted_files_by_session ON counted_files (session_id);

  CREATE TABLE suggestions (
    session_id TEXT NOT NULL,
    moment TEXT NOT NULL,
    claimed_at TEXT NOT NULL,
    suggested_id TEXT,
    PRIMARY KEY (session_id, moment)
  ) WITHOUT ROWID;
  CREATE INDEX suggestions_by_time ON suggestions (claimed_at);

  -- What a model has read. Its ideas outlive the index, because asking again would cost again.
  CREATE TABLE model_ideas (
    session_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    idea TEXT NOT NULL,
    PRIMARY KEY (session_id, position)
  ) WITHOUT ROWID;
  CREATE TABLE model_pieces (session_id TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (session_id, hash)) WITHOUT ROWID;
  CREATE TABLE model_use (
    day TEXT PRIMARY KEY,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    ideas INTEGER NOT NULL,
    dropped INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
    `
  -- What was not read. Lines are counted with their session's transcript; files that are not read have no session.
  CREATE TABLE unread (
    path TEXT NOT NULL,
    reason TEXT NOT NULL,
    session_id TEXT,
    count INTEGER NOT NULL,
    PRIMARY KEY (path, reason)
  ) WITHOUT ROWID;
  CREATE INDEX unread_by_session ON unread (session_id);
  `,
    `
  -- Transcripts are counted again, for the part of cache_write that is kept for an hour.
  ALTER TABLE requests ADD COLUMN cache_write_hour INTEGER NOT NULL DEFAULT 0;
  DELETE FROM counted_files;
  `,
    'ALTER TABLE forks ADD COLUMN printed INTEGER NOT NULL DEFAULT 0',
    `
  -- Transcripts are counted again, for the requests whose output is only known in part; null: not known, because the transcript is gone.
  ALTER TABLE requests ADD COLUMN partial INTEGER;
  DELETE FROM counted_files;
  `,
  ],
};
