import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startResponses } from '../support/agents/responses-double.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { line, stampLines, uuidOf, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const codex = process.env.SMART_FORK_TEST_CODEX ?? '';
if (codex === '') console.log('skipped: SMART_FORK_TEST_CODEX names no program');

const ID = uuidOf('read by codex');
const QUOTE = 'the importer takes its lock twice';
const IDEA = 'The importer deadlocks on a lock that it holds already';

it.skipIf(codex === '')(
  'lets the real Codex read a session: gpt-5 is offered nothing but questions to the user, and no session is left behind',
  { timeout: 120_000 },
  async () => {
    const api = await startResponses(
      JSON.stringify({ ideas: [{ kind: 'problem', content: IDEA, quote: QUOTE }] }),
    );
    onTestFinished(() => api.close());
    const world = createWorld();
    const lines = [line.user('Look at the importer'), line.assistant(`The log has it: ${QUOTE}. I go on.`)];
    writeClaude(world.claudeHome, ID, stampLines(lines, { sessionId: ID }));
    // Codex ignores its config.toml here, so its model's server is passed in arguments.
    const bin = join(world.folder, 'bin');
    mkdirSync(bin);
    mkdirSync(world.codexHome, { recursive: true });
    const words = [codex, ...api.options].map((word) => `'${word}'`).join(' ');
    writeFileSync(join(bin, 'codex'), `#!/bin/sh\nexec ${words} "$@"\n`);
    chmodSync(join(bin, 'codex'), 0o755);
    const env = { PATH: [bin, process.env.PATH].join(delimiter) };
    mkdirSync(world.home, { recursive: true });
    const memory = { extractor: 'agent', agent: 'codex', model: 'gpt-5' };
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ memory }));
    expect(await runCli(world, ['index', '--no-embed'], { env })).toMatchObject({ status: 0 });

    const backfill = ['memory', 'backfill', '--all', '--with-model', '--yes'];
    expect(await runJson(world, backfill, { env })).toMatchObject({ calls: 1, ideas: 1, dropped: 0 });
    const { extractor } = await runJson(world, ['status'], { env });
    expect(extractor).toMatchObject({ today: { calls: 1, tokens: 1000, ideas: 1 } });
    expect((await runCli(world, ['recall', 'importer', 'deadlock'])).stdout).toContain(IDEA);

    expect(api.requests).toHaveLength(1);
    expect(api.requests[0]).toContain(QUOTE);
    expect(toolsIn(api.requests[0] ?? '')).toEqual(['request_user_input']);
    expect(existsSync(join(world.codexHome, 'sessions'))).toBe(false);
    expect(readdirSync(join(world.home, 'extractor'))).toEqual([]);
  },
);

interface Tool {
  name?: string;
  type: string;
  tools?: Tool[];
}

/** The names of all tools that a request offers, wherever they occur in it. */
function toolsIn(request: string): string[] {
  const { tools = [], input } = JSON.parse(request) as { tools?: Tool[]; input: { tools?: Tool[] }[] };
  const namesOf = (tool: Tool): string[] => tool.tools?.flatMap(namesOf) ?? [tool.name ?? tool.type];
  return [...tools, ...input.flatMap((item) => item.tools ?? [])].flatMap(namesOf);
}
