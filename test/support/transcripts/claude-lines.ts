import { createHash } from 'node:crypto';

/** Lines of a Claude Code transcript: a prompt and its answer, each with a unique word. */
export function turnLines(sessionId: string, turn: number, words = 60): string[] {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, turn * 60 + second)).toISOString();
  const common = {
    isSidechain: false,
    userType: 'external',
    cwd: '/work/shop',
    sessionId,
    version: '2.1.329',
  };
  const user = {
    parentUuid: turn === 0 ? null : uuidOf(`${sessionId} ${turn - 1} assistant`),
    ...common,
    type: 'user',
    message: { role: 'user', content: `${markOf(sessionId, turn, 'q')} please ${filler(turn, words / 4)}` },
    uuid: uuidOf(`${sessionId} ${turn} user`),
    timestamp: at(0),
  };
  const assistant = {
    parentUuid: user.uuid,
    ...common,
    type: 'assistant',
    message: {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content: [{ type: 'text', text: `${markOf(sessionId, turn, 'a')} done ${filler(turn + 7, words)}` }],
    },
    uuid: uuidOf(`${sessionId} ${turn} assistant`),
    timestamp: at(30),
  };
  return [user, assistant].map((line) => `${JSON.stringify(line)}\n`);
}

/** A word that occurs only in this line. */
export function markOf(sessionId: string, turn: number, line: 'q' | 'a'): string {
  return `mark${createHash('sha256').update(`${sessionId} ${turn} ${line}`).digest('hex').slice(0, 20)}`;
}

export function sessionIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => uuidOf(`session ${index}`));
}

function filler(seed: number, words: number): string {
  const vocabulary = 'the cart total rounds wrong when coupon and tax apply together so check invoice'.split(
    ' ',
  );
  return Array.from(
    { length: Math.ceil(words) },
    (_, index) => vocabulary[(seed * 31 + index * 17) % vocabulary.length],
  ).join(' ');
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
