import { DamagedRecordError } from '../database/damaged-record.ts';

/** Compresses a payload's JSON to a third. */
export function packPayload(json: string): Uint8Array {
  const { deflateRawSync } = process.getBuiltinModule('node:zlib');
  return deflateRawSync(json, { dictionary: DICTIONARY });
}

/** A stored payload's JSON. */
export function unpackPayload(stored: unknown): string {
  const { inflateRawSync } = process.getBuiltinModule('node:zlib');
  try {
    return inflateRawSync(stored as Uint8Array, { dictionary: DICTIONARY }).toString();
  } catch (cause) {
    throw new DamagedRecordError('it holds a text that cannot be decompressed', { cause });
  }
}

/**
 * What short texts of sessions have in common, the most frequent last. Stored payloads cannot be read without it: a change needs a new
 * version of the store.
 */
const DICTIONARY = Buffer.from(
  [
    'undefined property interface parameter response request implementation documentation configuration environment performance ',
    'available different following existing correctly currently previous additional directory component function returns should would ',
    'because between without through another instead already database connection message session version package command option ',
    'https://github.com/ http://localhost:3000/api/ node_modules src/components/ src/utils/ tests/test_ packages/ docs/README.md ',
    '.test.ts .tsx .json .yaml .py .go .rs .sh .css .html origin/main pull request commit branch merge rebase worktree ',
    'npm install && npm run build && npm test 2>&1 | tail -20 | head -50 | grep -rn --include="*.ts" sed -n 1,200p ls -la cat find . -name ',
    'git status --short git diff --stat git log --oneline -5 git add -A && git commit -m git push origin cd /home/ /Users/ /private/tmp/ ',
    "import { } from './ export async function const = await new Promise return true; if ( === null) throw new Error(` => { });\\n  ",
    'TypeError: Cannot read properties of undefined (reading Error: ENOENT: no such file or directory exit code 1 failed passed ',
    'Implement the following plan:\\n\\n# Plan: \\n\\n## Context\\n\\n## Step 1: \\n\\n### 1. **File**: `\\n- **\\n\\n```typescript\\n```\\n\\n',
    'All tests pass. The fix is Now let me check the Let me read the Now I have I can see that the I’ll Let me fix this. Perfect! ',
    'If you need specific details from before (like exact code snippets, error messages, or content you generated), read the full transcript at: ',
    '\\nWebFetch https:// \\nTask: \\nSkill \\nWebSearch \\nTodoWrite \\nGlob **/*. \\nGrep \\nEdit /src/ \\nWrite \\nRead /\\nBash: \\nASSISTANT: \\nUSER: ',
    '{"intent_text":"{"timestamp":"2026-01-01T00:00:00.000Z","parent":null,"depth":0,"name":"","summary":" · Outcome: ","branch":"main",',
    '"files":[],"commits":[],"entities":["error:"],"first_turn":0,"last_turn":1,"first_line":3,"last_line":4}',
    '"relations":[{"kind":"answers","to":1,"confidence":0.8}],"is_open":true}"evidence":"plan","evidence":"run","evidence":"commit","',
    '{"kind":"todo","content":"{"kind":"question","content":"{"kind":"solution","content":"{"kind":"decision","content":"Plan: ',
    '{"kind":"problem","content":"{"kind":"conclusion","content":"Committed: ","confidence":0.95,"confidence":0.88,"span":0,"turn":1,"line":12,',
    '"quote":"","evidence":"remark","origin":"transcript","entities":["file:src/","commit:","concept:"],"relations":[],"is_open":false}',
    '"evidence":"report","origin":"transcript","entities":[],"relations":[],"is_open":null}',
    '{"timestamp":"2026-02-01T00:00:00.000Z","content":"USER: \\nASSISTANT: ","overlap":0,"turn":0,"last_turn":1}',
  ].join(''),
);
