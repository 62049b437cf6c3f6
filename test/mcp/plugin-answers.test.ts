import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { createWorld } from '../support/machines/mcp-world.ts';

// `npm run answers` writes the file.

it("keeps the plugin's answers in sync with the server's answers to initialize and tools/list", async () => {
  const world = createWorld({ samples: false });
  const { client, close } = await world.connect();
  const initialize = {
    protocolVersion: SUPPORTED_PROTOCOL_VERSIONS[0],
    capabilities: client.getServerCapabilities(),
    serverInfo: client.getServerVersion(),
    instructions: client.getInstructions(),
  };
  const answers = { protocols: SUPPORTED_PROTOCOL_VERSIONS, initialize, tools: await client.listTools() };
  await close();
  world.remove();
  await expect(`${JSON.stringify(answers, null, 1)}\n`).toMatchFileSnapshot(
    '../../plugin/server/answers.json',
  );
});
