import { expect, it } from 'vitest';
import { callTool } from '../../src/mcp/call-tool.ts';

it('answers also if the sessions that are left out cannot be counted', async () => {
  const tool = { run: async () => ({ structured: { added: 1 }, text: 'added' }) };
  const parts = {
    storeExists: () => true,
    store: () => Promise.reject(new Error('the server is gone')),
    notices: () => [],
  };
  const call = { parts, limit: async () => ({}), signal: new AbortController().signal, log: () => undefined };
  const answer = await callTool(tool as never, {}, call as never);
  expect(answer).toMatchObject({ content: [{ text: 'added' }], structuredContent: { added: 1 } });
  expect(answer.isError).not.toBe(true);
});
