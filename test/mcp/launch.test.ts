import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { terminalCommand } from '../../src/adapters/terminal/terminal-command.ts';
import { TERMINALS } from '../../src/domain/machine/terminals.ts';
import { CARDS, claudeLines, createWorld, type World } from '../support/machines/mcp-world.ts';

const INTENT = 'add real-time token usage cards to my dashboard';

describe('opening a fork in a terminal', () => {
  let world: World;

  beforeEach(async () => {
    world = createWorld();
    await world.run('index', '--no-embed');
  }, 60_000);

  afterEach(() => world.remove());

  /** A terminal program with that name that records its arguments. */
  function install(name: string, script: string): Record<string, string> {
    const bin = join(world.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return {
      PATH: bin + delimiter + (world.env.PATH ?? ''),
      CLAUDECODE: '1',
      CLAUDE_CODE_CHILD_SESSION: '1',
    };
  }

  it('opens no terminal unless the user has configured one', async () => {
    const env = install('tmux', `touch "${world.folder}/opened"`);
    const server = await world.connect({ env });
    const { structured } = await server.call('fork_detect', { intent: INTENT, auto_fork: true });
    expect(structured.forked_session).toMatchObject({
      resume_session_id: CARDS,
      launched: false,
      terminal_id: null,
    });
    expect(() => readFileSync(join(world.folder, 'opened'))).toThrow();
    await server.close();
  });

  it('starts the configured terminal outside the agent that asked for it', async () => {
    await world.run('config', 'set', 'fork.launch', 'tmux');
    const env = install(
      'tmux',
      `printf '%s\\n' "$@" > "${world.folder}/args"; env > "${world.folder}/env"; echo work:2.%7`,
    );
    const server = await world.connect({ env });
    const { structured, text } = await server.call('fork_detect', { intent: INTENT, auto_fork: true });
    expect(structured.forked_session).toMatchObject({ launched: true, terminal_id: 'tmux:work:2.%7' });
    expect(text).toContain('Opened in tmux:work:2.%7');
    expect(readFileSync(join(world.folder, 'args'), 'utf8')).toContain(structured.forked_session.command);
    expect(readFileSync(join(world.folder, 'env'), 'utf8')).not.toContain('CLAUDE_CODE_CHILD_SESSION');
    await server.close();
  });

  it('starts the terminal from an absolute PATH entry, with a title that it does not expand', async () => {
    await world.run('config', 'set', 'fork.launch', 'tmux');
    world.transcript(
      '#(touch x',
      claudeLines('#(touch x', world.project, [{ user: 'polish the brass' }, { assistant: 'ok' }]),
    );
    await world.run('index', '--no-embed');
    const env = install('tmux', `printf '%s\\n' "$@" > "${world.folder}/args"; echo work:2.%7`);
    writeFileSync(join(world.project, 'tmux'), `#!/bin/sh\ntouch "${world.folder}/own"\n`, { mode: 0o755 });
    const server = await world.connect({ env: { ...env, PATH: `:.:${env.PATH}` } });
    await server.call('fork_detect', { intent: 'polish the brass', auto_fork: true });
    expect(readFileSync(join(world.folder, 'args'), 'utf8')).toContain('\nfork (touch\n');
    expect(() => readFileSync(join(world.folder, 'own'))).toThrow();
    await server.close();
  });

  it('returns the command if the terminal cannot be opened', async () => {
    await world.run('config', 'set', 'fork.launch', 'tmux');
    const env = install('tmux', 'echo "no server running" >&2; exit 1');
    const server = await world.connect({ env });
    const { structured } = await server.call('fork_detect', { intent: INTENT, fork_index: 1 });
    expect(structured.forked_session).toMatchObject({ launched: false, can_fork: true });
    expect(structured.forked_session.warnings.join()).toContain('tmux failed: no server running');
    await server.close();
  });
});

it('passes the whole command to every terminal as one word', () => {
  const command = `cd '/a b' && claude --resume "x" --fork-session; echo \\done`;
  for (const terminal of TERMINALS) {
    const words = terminalCommand(terminal, command, 'fork 8402b1ed', '/bin/zsh');
    const escaped = [command, command.replaceAll(';', '\\;'), JSON.stringify(command)];
    expect(
      words.some((word) => escaped.some((one) => word.includes(one))),
      terminal,
    ).toBe(true);
  }
});
