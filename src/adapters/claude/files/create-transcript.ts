import { randomUUID } from 'node:crypto';
import type { CreateRequest } from '../../../ports/agent/conversation.ts';
import { writeRows } from '../../files/write-atomically.ts';

/** Writes a transcript with another agent's conversation, in the least form that Claude Code resumes and Codex imports. */
export function createTranscript(
  target: string,
  { conversation, originId, sessionId, workingDirectory: cwd }: CreateRequest,
): string {
  const shared = { isSidechain: false, userType: 'external', cwd, sessionId, version: '2.1.0' };
  let parentUuid: string | null = null;
  const lines = conversation.messages.map(({ role, text, timestamp }) => {
    const message = role === 'user' ? { role, content: text } : answer(text);
    const uuid = randomUUID();
    // As Claude Code marks copied lines, so that every index recognizes a fork.
    const forkedFrom = { sessionId: originId, messageUuid: uuid };
    const line = { parentUuid, ...shared, type: role, message, uuid, timestamp, forkedFrom };
    parentUuid = uuid;
    return line;
  });
  const name = { type: 'custom-title', customTitle: conversation.title, sessionId };
  return writeRows(target, [...lines, name]);
}

function answer(text: string) {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const content = [{ type: 'text', text }];
  const id = `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  return {
    id,
    type: 'message',
    role: 'assistant',
    model: 'imported',
    content,
    stop_reason: 'end_turn',
    usage,
  };
}
