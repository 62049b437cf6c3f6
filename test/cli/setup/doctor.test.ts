import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askServer } from '../../../src/adapters/system/ask-server.ts';
import { tryHook } from '../../../src/adapters/system/try-hook.ts';
import { ThrowawayHome } from '../../support/machines/init-cli.ts';

let home: ThrowawayHome;
beforeEach(() => {
  home = new ThrowawayHome();
});
afterEach(() => home.remove());

/** A hook command that runs a program written by this test. */
function hook(name: string, program: string): string {
  home.write(`sf/${name}/dist/bin.cjs`, program);
  return `'${process.execPath}' '${home.at(`sf/${name}/dist/bin.cjs`)}' hook stop || exit 0`;
}

const GOOD_HOOK = `const fs = require('node:fs'), home = process.env.SMART_FORK_HOME;
fs.mkdirSync(home + '/spool'); fs.writeFileSync(home + '/spool/look.json', '{}');`;

describe('tryHook', () => {
  const attempt = (command: string) => tryHook(command, home.environment());

  it('reports whether a hook left a job for the worker', async () => {
    expect(await attempt(hook('good', GOOD_HOOK))).toMatchObject({ exitCode: 0, output: '', leftJob: true });
    expect(await attempt(hook('idle', ''))).toMatchObject({ exitCode: 0, leftJob: false });
    const gone = await attempt(`'${process.execPath}' '${home.at('gone/dist/bin.cjs')}' hook stop || exit 0`);
    expect(gone).toMatchObject({
      exitCode: 0,
      leftJob: false,
      output: expect.stringContaining('Cannot find'),
    });
  });

  it('reports what a hook prints', async () => {
    const loud = await attempt(hook('loud', `${GOOD_HOOK} console.log('hello');`));
    expect(loud).toMatchObject({ output: 'hello', leftJob: true });
  });
});

describe('askServer', () => {
  const ask = (program: string) => {
    home.write('server.cjs', program);
    return askServer({ command: process.execPath, args: [home.at('server.cjs'), 'mcp'] }, home.environment());
  };

  it('reports the name and version of the server that answers', async () => {
    const server = `console.log('a word before');
      process.stdin.once('data', () => console.log(JSON.stringify({ jsonrpc: '2.0', id: 1,
        result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'sf', version: '9' } } })));`;
    expect(await ask(server)).toMatchObject({ ok: true, name: 'sf', version: '9' });
  });

  it('reports why no server answers', async () => {
    expect(await ask("console.error('no store'); process.exitCode = 3;")).toEqual({
      ok: false,
      reason: 'it exited with code 3: no store',
    });
    const absent = await askServer({ command: home.at('nothing'), args: ['mcp'] }, {});
    expect(absent).toMatchObject({ ok: false, reason: expect.stringContaining('ENOENT') });
  });
});

describe('smart-fork doctor', () => {
  const checks = async () => {
    const report: { checks: { name: string; status: string; message: string }[] } = JSON.parse(
      (await home.cli(['doctor', '--json'])).out,
    );
    return (name: string) => report.checks.find((check) => check.name === name);
  };

  it('runs the installed hooks, and reports what is not installed', async () => {
    home.write('.claude/settings.json', '{}');
    expect((await checks())('Claude hooks')).toMatchObject({ status: 'warn', message: 'not installed' });
    const command = hook('good', GOOD_HOOK);
    home.write('.claude/settings.json', JSON.stringify({ hooks: { Stop: [{ hooks: [{ command }] }] } }));
    const found = await checks();
    expect(found('Claude hooks')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('Stop: run'),
    });
    expect(found('Claude MCP')).toMatchObject({ status: 'warn' });
    expect(found('Codex hooks')).toBeUndefined();
  });

  it('says what failed last, unless logs are off', async () => {
    const server = { QDRANT_URL: 'http://127.0.0.1:9' };
    expect((await home.cli(['search', 'a valve'], server)).code).toBe(1);
    expect((await checks())('Errors')).toMatchObject({
      status: 'note',
      message: expect.stringMatching(/^1 error in 7 days; the last, .*: smart-fork search: .*127\.0\.0\.1/),
    });
    home.write('.smart-fork/config.json', '{"logs": {"enabled": false}}');
    expect((await checks())('Errors')).toBeUndefined();
  });

  it('fails a hook whose program is gone, and a server that does not start', async () => {
    const command = `node ${home.at('sf/gone/dist/bin.cjs')} hook stop || exit 0`;
    home.write('.claude/settings.json', JSON.stringify({ hooks: { Stop: [{ hooks: [{ command }] }] } }));
    home.write(
      '.claude.json',
      JSON.stringify({
        mcpServers: { 'smart-fork': { command: 'node', args: [home.at('gone/dist/bin.cjs'), 'mcp'] } },
      }),
    );
    const found = await checks();
    expect(found('Claude hooks')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('left no job'),
    });
    expect(found('Claude MCP')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('exited with code 1'),
    });
  });
});
