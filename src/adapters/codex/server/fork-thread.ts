import { z } from 'zod';
import { SmartForkError } from '../../../domain/errors.ts';
import { onOneLine } from '../../../domain/session/tool-line.ts';
import type { NewThread, ThreadForkRequest } from '../../../ports/transcript-source.ts';
import { type Ask, inShape } from './app-server.ts';

/** Forks a Codex session at the end of the turn that contains the requested prompt. */
export async function forkThread(ask: Ask, request: ThreadForkRequest): Promise<NewThread> {
  const threadId = request.transcript.sessionId;
  return forkThrough(ask, threadId, await promptsOf(ask, threadId), request);
}

const TURNS = 'thread/turns/list';
const turnsSchema = z.object({
  data: z.array(z.object({ id: z.string(), items: z.array(z.looseObject({ type: z.string() })) })),
  nextCursor: z.string().nullish(),
});
const messageSchema = z.object({ content: z.array(z.looseObject({ text: z.string().optional() })) });
const forkSchema = z.object({ thread: z.object({ id: z.string(), path: z.string() }) });

/** Forks a session with these prompts at the end of the turn that contains the requested one. */
export async function forkThrough(
  ask: Ask,
  threadId: string,
  asked: Prompt[],
  request: Omit<ThreadForkRequest, 'transcript' | 'end'>,
): Promise<NewThread> {
  const at = placeOf(asked, request);
  const lastTurnId = asked[at]?.turnId;
  if (lastTurnId === undefined) throw otherTurns(asked.length, request.prompts.length);
  const options = { threadId, lastTurnId, excludeTurns: true, cwd: request.workingDirectory };
  const { thread } = inShape(forkSchema, 'thread/fork', await ask('thread/fork', options));
  const together = asked.findLastIndex(({ turnId }) => turnId === lastTurnId);
  return { sessionId: thread.id, path: thread.path, turn: request.turn + together - at };
}

export interface Prompt {
  turnId: string;
  text: string;
}

export async function promptsOf(ask: Ask, threadId: string): Promise<Prompt[]> {
  const prompts: Prompt[] = [];
  for (let cursor: string | null = null; ; ) {
    const options = { threadId, sortDirection: 'asc', itemsView: 'full', limit: 200, cursor };
    const page: z.infer<typeof turnsSchema> = inShape(turnsSchema, TURNS, await ask(TURNS, options));
    for (const { id, items } of page.data)
      for (const item of items)
        if (item.type === 'userMessage') prompts.push({ turnId: id, text: textOf(item) });
    cursor = page.nextCursor ?? null;
    if (cursor === null) return prompts;
  }
}

function textOf(item: unknown): string {
  const { content } = inShape(messageSchema, TURNS, item);
  return content.map(({ text = '' }) => text).join('\n');
}

/** Index of the requested prompt among Codex's. The two lists may differ in prompts that are not the user's own words. */
function placeOf(asked: Prompt[], { prompts, turn }: Pick<ThreadForkRequest, 'prompts' | 'turn'>): number {
  if (asked.length === prompts.length) return turn - 1;
  const key = keyOf(prompts[turn - 1] ?? '');
  const times = prompts.slice(0, turn).filter((prompt) => keyOf(prompt) === key).length;
  const same = asked.flatMap(({ text }, at) => (onOneLine(text).includes(key) ? [at] : []));
  return same[times - 1] ?? -1;
}

function keyOf(text: string): string {
  return onOneLine(text).slice(0, 200);
}

function otherTurns(there: number, here: number): SmartForkError {
  return new SmartForkError('USAGE', `Codex counts ${there} prompts in this session, smart-fork ${here}`, {
    hint: 'Fork the whole session: leave out --at.',
  });
}
