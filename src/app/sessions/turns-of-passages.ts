import type { Passage } from '../../domain/point/passages.ts';
import { TOOL_LINE } from '../../domain/search/snippet.ts';
import type { Turn } from './read-conversation.ts';

type Speaker = 'user' | 'assistant';

/**
 * The turns of a conversation from its stored passages: who speaks is marked where a message begins. A passage may begin
 * inside of a message, even of a line, and hold several turns.
 */
export function turnsOfPassages(passages: Passage[]): Turn[] {
  const turns: Turn[] = [];
  let speaker: Speaker = 'user';
  let isInLine = false;
  for (const { text, turn: first, timestamp } of passages) {
    let index = first;
    for (const [at, line] of text.split(/(?<=\n)/).entries()) {
      const [mark = '', name] = (isInLine ? null : /^(USER|ASSISTANT): /.exec(line)) ?? [];
      if (name === 'USER' && at > 0) index += 1;
      const turn = turnAt(turns, index, timestamp);
      if (!isInLine && TOOL_LINE.test(line.trimEnd())) turn.tools.push(line.trimEnd());
      else {
        if (name !== undefined) speaker = name === 'USER' ? 'user' : 'assistant';
        // As between two messages of a transcript that is read itself.
        turn[speaker] += (mark !== '' && turn[speaker] !== '' ? '\n' : '') + line.slice(mark.length);
      }
      isInLine = !line.endsWith('\n');
    }
  }
  return turns.map((turn) => ({ ...turn, user: turn.user.trim(), assistant: turn.assistant.trim() }));
}

function turnAt(turns: Turn[], index: number, timestamp: string | null): Turn {
  const last = turns.at(-1);
  if (last !== undefined && last.index >= index) return last;
  const turn: Turn = { index, timestamp, user: '', assistant: '', tools: [], files: [] };
  turns.push(turn);
  return turn;
}
