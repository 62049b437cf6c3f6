import { randomBytes } from 'node:crypto';
import type { Conversation } from '../../ports/agent/conversation.ts';

export interface ModelName {
  providerID: string;
  modelID: string;
}

/** A conversation in the form that `opencode export` writes and `opencode import` reads. */
export function exportedSession({ title, messages }: Conversation, cwd: string, model: ModelName) {
  const now = Date.now();
  const id = `ses_${idAt(now)}`;
  let parentID = '';
  const times = messages.map(({ timestamp }) => Date.parse(timestamp));
  let created = times.find((time) => !Number.isNaN(time)) ?? now;
  const exported = messages.map(({ role, text }, at) => {
    // A damaged time is the one of the message before.
    created = times[at] || created;
    // Its own ids sort by time.
    const messageID = `msg_${idAt(created, at)}`;
    const own = { id: messageID, sessionID: id, role, agent: 'build' };
    const info =
      role === 'user'
        ? { ...own, time: { created }, model }
        : { ...own, ...answered(cwd), ...model, parentID, time: { created, completed: created } };
    if (role === 'user') parentID = messageID;
    return {
      info,
      parts: [{ id: `prt_${idAt(created, at)}`, sessionID: id, messageID, type: 'text', text }],
    };
  });
  const info = { id, slug: 'imported', projectID: 'global', directory: cwd, title, version: '1.18.33' };
  return { info: { ...info, time: { created: now, updated: now } }, messages: exported };
}

function answered(cwd: string) {
  return {
    mode: 'build',
    path: { cwd, root: cwd },
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    finish: 'stop',
  };
}

/** Twelve digits of the time and a counter, then fourteen random ones. */
function idAt(time: number, count = 0): string {
  const sortable = (BigInt(Math.max(0, time)) * 4096n + BigInt(count % 4096)).toString(16).slice(-12);
  return sortable.padStart(12, '0') + randomBytes(7).toString('hex');
}
