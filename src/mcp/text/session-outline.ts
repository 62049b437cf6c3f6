import * as z from 'zod';
import type { Turn } from '../../app/sessions/conversation/turn.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { cut } from './cut.ts';

export const outlineTurn = z.object({
  turn: z.number(),
  timestamp: z.string().nullable(),
  asked: z.string(),
  answered: z.string(),
  tool_calls: z.number(),
  rewound: z.literal(true).optional(),
  files: z.array(z.string()),
});

export interface Outline {
  turns: z.infer<typeof outlineTurn>[];
  total_turns: number;
  next_turn: number | null;
  ending: string;
}

const ASKED = 300;
const ANSWERED = 200;
const ENDING = 1500;
const MAX_FILES = 10;

export function outlineOf(all: Turn[], from: number, count: number): Outline {
  const turns = all.slice(from, from + count);
  const end = from + turns.length;
  return {
    turns: turns.map((turn) => ({
      turn: turn.index + 1,
      timestamp: turn.timestamp,
      asked: cut(sanitizeLine(turn.user), ASKED),
      answered: cut(sanitizeLine(lastParagraph(turn.assistant)), ANSWERED),
      tool_calls: turn.tools.length,
      files: turn.files.slice(0, MAX_FILES),
      rewound: turn.rewound,
    })),
    total_turns: all.length,
    next_turn: end < all.length && count > 0 ? end + 1 : null,
    ending: cut(all.findLast(({ assistant }) => assistant.trim() !== '')?.assistant.trim() ?? '', ENDING),
  };
}

/** An answer states its result at the end. */
function lastParagraph(text: string): string {
  return (
    text
      .trim()
      .split(/\n{2,}/)
      .at(-1) ?? ''
  );
}
