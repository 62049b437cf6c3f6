import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import type { Agent } from '../../../src/domain/agent/agents.ts';
import { findShared } from '../files/find-shared.ts';
import type { World } from '../machines/world.ts';
import { pick, type Random } from '../random.ts';
import { jsonl, sampleLines, stampLines, uuidOf } from './claude-transcripts.ts';
import { codexText, legacySession, paginatedSession } from './codex-transcripts.ts';
import { writeGoose } from './goose-database.ts';
import { mutate, ODD, ODD_TEXTS, withOddValue } from './mutants.ts';
import { opencodeMessages, writeOpencode } from './opencode-database.ts';
import {
  clineSession,
  copilotSession,
  cursorSession,
  geminiHead,
  geminiSession,
  gooseMessages,
  logOf,
  ORIGIN,
  piHead,
  piSession,
  qwenSession,
  shownTask,
  vscodeChat,
} from './small-agents.ts';

/** How sessions of one agent are written, sound and damaged. */
export interface Originals {
  agent: Agent;
  idOf: (seed: string) => string;
  /** Writes a sound session in which the user asks for `thing`; returns what it wrote, if it is a file. */
  writeSound: (world: World, id: string, thing: string) => string | null;
  writeMutant: (world: World, id: string, random: Random) => string | null;
}

export function originalsOf(agent: Agent): Originals {
  const inDatabase = DATABASES[agent];
  if (inDatabase !== undefined) return inDatabase;
  const { lines, pathOf, idOf = uuidOf } = FILES[agent as keyof typeof FILES];
  const originals = [...lines(), ...realLines(agent)].filter((each) => each.length > 0);
  const write = (world: World, id: string, bytes: string | Buffer) => {
    const path = pathOf(world, id);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return path;
  };
  return {
    agent,
    idOf,
    writeSound: (world, id, thing) =>
      write(
        world,
        id,
        `${renamed(lines()[0] ?? [], id).join('\n')}\n`.replaceAll('add a thing', `add a ${thing}`),
      ),
    writeMutant: (world, id, random) =>
      write(world, id, mutate(renamed(pick(random, originals), id), random)),
  };
}

interface FileOriginals {
  lines: () => string[][];
  pathOf: (world: World, id: string) => string;
  idOf?: (seed: string) => string;
}

const rows = (records: object[]) => records.map((record) => JSON.stringify(record));
const split = (text: string) => text.trimEnd().split('\n');

const FILES: Record<Exclude<Agent, 'opencode' | 'goose'>, FileOriginals> = {
  claude: {
    lines: () => [split(jsonl(stampLines(sampleLines())))],
    pathOf: ({ claudeHome }, id) => join(claudeHome, 'projects', 'p', `${id}.jsonl`),
  },
  codex: {
    lines: () => [split(codexText(legacySession())), split(codexText(paginatedSession(), 0))],
    pathOf: ({ codexHome }, id) =>
      join(codexHome, 'sessions', '2026', '07', '01', `rollout-2026-07-01T09-00-00-${id}.jsonl`),
    idOf: (seed) => `019f${uuidOf(seed).slice(4)}`,
  },
  pi: {
    lines: () => [rows([piHead(ORIGIN), ...piSession()])],
    pathOf: ({ folder }, id) =>
      join(folder, '.pi/agent/sessions/--home-dev-widgets--', `2026-07-01T09-00-00-000Z_${id}.jsonl`),
  },
  gemini: {
    lines: () => [
      rows([geminiHead(ORIGIN), ...geminiSession()]),
      // As before 0.40: one document.
      rows([{ ...geminiHead(ORIGIN), messages: geminiSession() }]),
    ],
    pathOf: ({ folder }, id) =>
      join(folder, '.gemini/tmp/widgets/chats', `session-2026-07-01T09-00-${id}.jsonl`),
  },
  copilot: {
    lines: () => [rows(copilotSession())],
    pathOf: ({ folder }, id) => join(folder, '.copilot/session-state', id, 'events.jsonl'),
  },
  qwen: {
    lines: () => [rows(qwenSession())],
    pathOf: ({ folder }, id) => join(folder, '.qwen/projects/-home-dev-widgets/chats', `${id}.jsonl`),
  },
  cline: {
    lines: () => [rows([clineSession(ORIGIN)])],
    pathOf: ({ folder }, id) => join(folder, '.cline/data/sessions', id, `${id}.messages.json`),
  },
  roo: {
    lines: () => [[JSON.stringify(shownTask())]],
    pathOf: ({ folder }, id) =>
      join(
        folder,
        '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks',
        id,
        'ui_messages.json',
      ),
  },
  vscode: {
    lines: () => [rows(logOf(vscodeChat())), rows([vscodeChat()])],
    pathOf: ({ folder }, id) =>
      join(folder, '.config/Code/User/workspaceStorage/0123/chatSessions', `${id}.jsonl`),
  },
  cursor: {
    lines: () => [rows(cursorSession())],
    pathOf: ({ folder }, id) =>
      join(folder, '.cursor/projects/home-dev-widgets/agent-transcripts', id, `${id}.jsonl`),
  },
};

function renamed(lines: string[], id: string): string[] {
  const named = /"(?:sessionId|id)":"([^"]{8,})"/.exec(lines[0] ?? '')?.[1] ?? ORIGIN;
  return lines.map((line) => line.replaceAll(named, id));
}

/** Real transcripts if there are any; the first lines of each. */
function realLines(agent: Agent): string[][] {
  const more = findShared('corpora-more');
  const root = findShared('corpora', agent) ?? (more === null ? null : join(more, agent));
  if (root === null || !existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl$/.test(name) && /projects|rollout-|sessions|session-state|fixtures/.test(name))
    .sort()
    .slice(0, 40)
    .map((name) => readFileSync(join(root, name), 'utf8').split('\n').slice(0, 60));
}

const opencode: Originals = {
  agent: 'opencode',
  idOf: (seed) => `ses_${uuidOf(seed).replaceAll('-', '').slice(0, 26)}`,
  writeSound(world, id, thing) {
    const messages = opencodeMessages(`${id}-`);
    const text = JSON.stringify(messages).replaceAll('add a thing', `add a ${thing}`);
    const created = Date.UTC(2026, 6, 1, 9);
    writeOpencode(databaseOf(world), [{ id, title: 'A thing', created, messages: JSON.parse(text) }]);
    return null;
  },
  writeMutant(world, id, random) {
    opencode.writeSound(world, id, 'thing');
    damageCells(databaseOf(world), COLUMNS, id, random);
    return null;
  },
};

const goose: Originals = {
  agent: 'goose',
  idOf: (seed) => `20260701_${uuidOf(seed).replaceAll('-', '').slice(0, 12)}`,
  writeSound(world, id, thing) {
    const text = JSON.stringify(gooseMessages()).replaceAll('add a thing', `add a ${thing}`);
    writeGoose(gooseDatabaseOf(world), [{ id, messages: JSON.parse(text) }]);
    return null;
  },
  writeMutant(world, id, random) {
    goose.writeSound(world, id, 'thing');
    damageCells(gooseDatabaseOf(world), GOOSE_COLUMNS, id, random);
    return null;
  },
};

function gooseDatabaseOf({ folder }: World): string {
  return join(folder, '.local/share/goose/sessions/sessions.db');
}

const GOOSE_COLUMNS = [
  ...['name', 'session_type', 'working_dir', 'updated_at', 'model_config_json'].map(
    (column) => ['sessions', column] as const,
  ),
  ...['role', 'content_json', 'content_json', 'content_json', 'created_timestamp', 'metadata_json'].map(
    (column) => ['messages', column] as const,
  ),
] as const;

function damageCells(
  path: string,
  columns: readonly (readonly [table: string, column: string])[],
  id: string,
  random: Random,
): void {
  const database = openDatabase(path);
  for (let count = 1 + random(5); count > 0; count -= 1) {
    const [table, column] = pick(random, columns);
    const key = /^sessions?$/.test(table) ? 'id' : 'session_id';
    const chosen = database
      .prepare(`SELECT rowid AS number, ${column} AS old FROM ${table} WHERE ${key} = ?`)
      .all(id);
    if (chosen.length === 0) continue;
    const { number, old } = pick(random, chosen) as { number: number; old: unknown };
    const odd = oddCell(old, id, random);
    // Goose's columns may not be empty.
    if (odd === null && path.includes('goose')) continue;
    database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(odd, number);
  }
  database.close();
}

const COLUMNS = [
  ...['parent_id', 'directory', 'title', 'version', 'revert', 'time_created', 'time_updated'].map(
    (column) => ['session', column] as const,
  ),
  ...['time_created', 'time_updated', 'data', 'data', 'data'].map((column) => ['message', column] as const),
  ...['message_id', 'time_created', 'data', 'data', 'data', 'data'].map(
    (column) => ['part', column] as const,
  ),
] as const;

/** A value of any of SQLite's types, or damaged JSON; a session may be its own parent. */
function oddCell(old: unknown, id: string, random: Random): string | number | null | Buffer {
  const choice = random(6);
  if (choice === 0) return id;
  if (choice === 1) return Buffer.from([0, 255, 254, 1]);
  if (choice === 2) return pick(random, ODD_TEXTS);
  if (choice === 3 && typeof old === 'string') return withOddValue(old, random);
  if (choice === 4 && typeof old === 'string') return mutate([old], random).toString();
  const odd = pick(random, ODD);
  return typeof odd === 'number' || typeof odd === 'string' ? odd : null;
}

function databaseOf({ folder }: World): string {
  return join(folder, '.local/share/opencode/opencode.db');
}

const DATABASES: Partial<Record<Agent, Originals>> = { opencode, goose };
