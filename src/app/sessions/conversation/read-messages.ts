import type { ConversationMessage } from '../../../ports/agent/conversation.ts';
import type { Redactor } from '../../../ports/redactor.ts';
import type { TranscriptFile, TranscriptSource } from '../../../ports/transcript-source.ts';
import { readEvents, tellMessages } from '../read-conversation.ts';

/**
 * A session's prompts and answers, in turns, for another agent. Redacted, because that agent may send them to another provider. A tool
 * call is a line of the answer. What the user took back is left out.
 */
export async function readConversation(
  source: TranscriptSource,
  path: string,
  redactor: Redactor,
  { parents, untilTurn }: { parents: TranscriptFile[]; untilTurn: number },
): Promise<ConversationMessage[]> {
  const events = await readEvents(source, path, redactor, parents);
  const rewound = new Set(tellMessages(events, () => undefined).rewound);
  const messages: ConversationMessage[] = [];
  let latest = EPOCH;
  tellMessages(events, ({ role, text, timestamp }, turn) => {
    latest = timestamp ?? latest;
    if (turn >= untilTurn || rewound.has(turn)) return;
    const last = messages.at(-1);
    const side = role === 'user' ? 'user' : 'assistant';
    const said = role === 'tool' ? `[${text}]` : text;
    if (last?.role === side) last.text += `\n\n${said}`;
    else messages.push({ role: side, text: said, timestamp: latest });
  });
  // A conversation begins with a prompt, and ends with an answer: the next message is the user's.
  const first = messages.findIndex(({ role }) => role === 'user');
  const own = first < 0 ? [] : messages.slice(first);
  return own.at(-1)?.role === 'user'
    ? [...own, { role: 'assistant', text: NO_ANSWER, timestamp: latest }]
    : own;
}

const EPOCH = '1970-01-01T00:00:00.000Z';
const NO_ANSWER = '(no answer)';
