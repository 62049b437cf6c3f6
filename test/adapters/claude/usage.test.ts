import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readUsage } from '../../../src/adapters/claude/usage/read-usage.ts';
import type { RequestUsage } from '../../../src/domain/usage/usage.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

function requestsIn(lines: unknown[]): RequestUsage[] {
  const path = join(tempFolder(), 'session.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const requests: RequestUsage[] = [];
  readUsage(path, null, (request) => requests.push(request));
  return requests;
}

const usage = {
  input_tokens: 3,
  output_tokens: 7,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 60,
  cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 40 },
};
const answer = {
  type: 'assistant',
  timestamp: '2026-07-01T09:00:00.000Z',
  message: { id: 'msg_1', model: 'claude-opus-4-6', usage },
};

it('reads which part of the cache writes is kept for an hour', () => {
  expect(requestsIn([answer])).toMatchObject([{ id: 'msg_1', cacheWrite: 60, cacheWriteHour: 40 }]);
});

it('counts answers of subagents that are only quoted as progress', () => {
  const progress = {
    type: 'progress',
    timestamp: answer.timestamp,
    data: { type: 'agent_progress', message: answer },
  };
  expect(requestsIn([progress])).toMatchObject([
    { id: 'msg_1', model: 'claude-opus-4-6', input: 3, output: 7 },
  ]);
});

it('says which lines were written before the answer was complete', () => {
  const lines = [null, 'tool_use', undefined].map((stop_reason) => ({
    ...answer,
    message: { ...answer.message, stop_reason },
  }));
  expect(requestsIn(lines).map(({ partial }) => partial)).toEqual([true, false, false]);
});
