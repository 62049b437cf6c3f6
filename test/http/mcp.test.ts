import { afterAll } from 'vitest';
import { rounds } from '../support/campaign.ts';

// Runs the suites of the MCP server on stdio again over HTTP. The query makes each a separate module, because modules stay loaded
// between files.
const SUITES = ['tools', 'choose-session', 'hostile', 'restore'];

process.env.SMART_FORK_TEST_MCP = 'http';
for (const suite of SUITES.slice(0, rounds({ quick: 2, slow: SUITES.length })))
  await import(/* @vite-ignore */ `../mcp/${suite}.test.ts?http`);

afterAll(() => {
  delete process.env.SMART_FORK_TEST_MCP;
});
