import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeDialect } from '../../../src/adapters/claude/dialect.ts';
import { codexDialect } from '../../../src/adapters/codex/dialect.ts';
import { createAgentModel } from '../../../src/adapters/extractor/agent-model.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

const REQUEST = { instructions: 'Find ideas.', text: 'USER: hello' };
const RESULT = {
  type: 'result',
  is_error: false,
  result: '{"ideas":[]}',
  usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 2 },
};
const EVENTS = [
  { type: 'thread.started', thread_id: 'x' },
  { type: 'item.completed', item: { type: 'agent_message', text: '{"ideas":[]}' } },
  { type: 'turn.completed', usage: { input_tokens: 20, cached_input_tokens: 10, output_tokens: 3 } },
];

/** A program that records its arguments, its folder and its input, and prints `out`. */
function standIn(agent: 'claude' | 'codex', out: string, exitCode = 0) {
  const folder = tempFolder('agent');
  const program = join(folder, agent);
  writeFileSync(
    program,
    `#!${process.execPath}
const fs = require('node:fs');
const input = fs.readFileSync(0, 'utf8');
const notes = { args: process.argv.slice(2), cwd: process.cwd(), files: fs.readdirSync('.'), input };
fs.writeFileSync(${JSON.stringify(join(folder, 'notes.json'))}, JSON.stringify(notes));
process.stdout.write(${JSON.stringify(out)});
process.exitCode = ${exitCode};
`,
  );
  chmodSync(program, 0o755);
  const dialect = { claude: claudeDialect, codex: codexDialect }[agent];
  const options = { agent, dialect, program, model: 'cheap', folder: join(folder, 'empty'), env: {} };
  return {
    model: createAgentModel(options),
    notes: () => JSON.parse(readFileSync(join(folder, 'notes.json'), 'utf8')),
  };
}

describe.skipIf(process.platform === 'win32')('an agent used as a model', () => {
  it('runs Claude Code as a model without tools, hooks or a saved session, in an empty folder', async () => {
    const { model, notes } = standIn('claude', JSON.stringify(RESULT));
    expect(await model.ask(REQUEST)).toEqual({ text: '{"ideas":[]}', tokens: 17 });
    const { args, cwd, files, input } = notes();
    expect(args).toEqual(
      expect.arrayContaining(['-p', '--safe-mode', '--no-session-persistence', '--strict-mcp-config']),
    );
    expect(args[args.indexOf('--tools') + 1]).toBe('');
    expect(args[args.indexOf('--model') + 1]).toBe('cheap');
    expect(cwd).toMatch(/empty$/);
    expect(files).toEqual([]);
    expect(input).toBe(REQUEST.text);
  });

  it('runs Codex as a model without its settings or a saved session', async () => {
    const { model, notes } = standIn('codex', EVENTS.map((event) => JSON.stringify(event)).join('\n'));
    expect(await model.ask(REQUEST)).toEqual({ text: '{"ideas":[]}', tokens: 23 });
    const { args, input } = notes();
    expect(args).toEqual(expect.arrayContaining(['exec', '--ephemeral', '--ignore-user-config']));
    expect(args[args.indexOf('--sandbox') + 1]).toBe('read-only');
    expect(args).toEqual(
      expect.arrayContaining(['web_search="disabled"', 'shell_tool', 'unified_exec', 'hooks']),
    );
    expect(input).toContain(REQUEST.text);
  });

  it.each([
    [
      'is not logged in',
      JSON.stringify({ ...RESULT, is_error: true, result: 'Not logged in' }),
      1,
      'Not logged in',
    ],
    ['prints rubbish', 'hello', 0, 'its answer cannot be read'],
    ['prints 10 MB', 'x'.repeat(10_000_000), 0, 'cannot run Claude Code'],
  ])('reports an agent that %s', async (_, out, exitCode, reason) => {
    await expect(standIn('claude', out, exitCode).model.ask(REQUEST)).rejects.toThrow(reason);
  });

  it('reports an agent that is a Windows script and cannot be run', async () => {
    const model = createAgentModel({
      agent: 'claude',
      dialect: claudeDialect,
      program: 'C:\\npm\\claude.CMD',
      model: null,
      folder: '/',
      env: {},
    });
    await expect(model.ask({ instructions: '', text: '' })).rejects.toThrow('claude.CMD is a script');
  });

  it('reports an agent that is not installed', async () => {
    const options = {
      agent: 'codex',
      dialect: codexDialect,
      program: null,
      model: 'cheap',
      folder: '/nowhere',
      env: {},
    } as const;
    await expect(createAgentModel(options).ask(REQUEST)).rejects.toThrow('codex is not on the PATH');
  });
});
