interface EndingTurn {
  user: string;
  assistant: string;
}

const MAX_ENDS = 6;
const MAX_LENGTH = 200;
/** Only the last turns count: earlier loose ends were mostly resolved later. */
const LAST_TURNS = 3;

/** Loose ends of a conversation, found by keywords: unanswered prompts, questions, to-dos, `WAITING` markers. */
export function looseEnds(turns: EndingTurn[]): string[] {
  const last = turns.at(-1);
  if (last === undefined) return [];
  const ends = turns.slice(-LAST_TURNS).flatMap(({ assistant }) => assistant.split('\n').filter(saysOpen));
  if (last.user !== '' && last.assistant.trim() === '') ends.push(`Not answered: ${last.user}`);
  const question = lastLine(last.assistant);
  if (question.endsWith('?')) ends.push(question);
  return [...new Set(ends.map(tidy))].filter((end) => end !== '').slice(-MAX_ENDS);
}

const OPEN =
  /\bWAITING\b|\bTODO\b|\bFIXME\b|\bnext steps?\b|\bfollow-?ups?\b|\bstill (?:need|have|fail|open|missing|to do)|\bnot yet\b|\bremaining\b|\bleft to do\b|\bopen question/i;
const CLOSED = /\b(?:no|nothing|zero|without) (?:\w+ )?(?:remaining|left|todo|open)/i;

function saysOpen(line: string): boolean {
  return line.length < 400 && OPEN.test(line) && !CLOSED.test(line);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

function tidy(line: string): string {
  const plain = line
    .replace(/^[\s>#*•\-–\d.)[\]]+/, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : plain;
}
