import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The app server's behaviour when asked to import. */
export interface Importing {
  /** The prompts of the import, followed by the user's own turns. */
  imported: string[];
  own?: string[];
  failure?: string;
  /** Answers without an import. */
  skips?: boolean;
}

/** A program that imports and forks like Codex's app server, and records the requests. */
export function importingCodex(folder: string, home: string, options: Importing) {
  const { imported, own = [], failure, skips = false } = options;
  mkdirSync(folder, { recursive: true });
  mkdirSync(home, { recursive: true });
  const turnOf = (id: string, text: string) => ({
    id,
    items: [{ type: 'userMessage', content: [{ type: 'text', text }] }],
  });
  const data = [
    ...imported.map((text, at) => turnOf(`external-import-turn-${at + 1}`, text)),
    ...own.map((text, at) => turnOf(`own-${at + 1}`, text)),
  ];
  const failures = failure === undefined ? [] : [{ message: failure }];
  const program = join(folder, 'codex');
  writeFileSync(
    program,
    `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const sha256 = (path) => require('node:crypto').createHash('sha256').update(readFileSync(path)).digest('hex');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(${JSON.stringify(join(folder, 'asked'))}, line + '\\n');
  if (id === undefined) return;
  const results = {
    'thread/turns/list': { data: ${JSON.stringify(data)} },
    'thread/read': { thread: { id: 'import', path: ${JSON.stringify(join(home, 'import.jsonl'))} } },
    'thread/fork': { thread: { id: 'new', path: ${JSON.stringify(join(home, 'new.jsonl'))} } },
  };
  if (method === 'thread/fork') writeFileSync(results[method].thread.path, '{}\\n');
  console.log(JSON.stringify({ id, result: results[method] ?? {} }));
  if (method !== 'externalAgentConfig/import') return;
  const [{ path }] = params.migrationItems[0].details.sessions;
  const records = [{ source_path: path, imported_thread_id: 'import', content_sha256: sha256(path) }];
  if (${!skips && failure === undefined}) writeFileSync(${JSON.stringify(join(home, 'external_agent_session_imports.json'))}, JSON.stringify({ records }));
  const itemTypeResults = [{ itemType: 'SESSIONS', successes: [], failures: ${JSON.stringify(failures)} }];
  console.log(JSON.stringify({ method: 'externalAgentConfig/import/completed', params: { itemTypeResults } }));
});
`,
  );
  chmodSync(program, 0o755);
  return {
    program,
    asked: (): { method: string; params: Record<string, unknown> }[] =>
      readFileSync(join(folder, 'asked'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}
