import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type CliMachine, useCliMachines } from '../../support/machines/cli-machine.ts';

const serviceStatusShape = {
  manager: z.string(),
  path: z.string(),
  state: z.enum(['absent', 'installed', 'changed']),
  registered: z.boolean(),
  gone: z.string().nullable(),
  running: z.object({ url: z.string(), pid: z.number(), since: z.string() }).nullable(),
  log: z.string(),
};

const createCliMachine = useCliMachines();

/** A machine whose systemctl records its arguments, and succeeds unless told otherwise. */
function machineWithSystemd() {
  const machine = createCliMachine({ transcripts: false });
  const bin = join(machine.folder, 'bin');
  mkdirSync(bin);
  const calls = join(machine.folder, 'calls');
  /** `failing`: the command that fails, with the exit code. */
  const answer = (code: number, failing = '*') => {
    const lines = [
      '#!/bin/sh',
      `echo "$@" >> '${calls}'`,
      `case "$2" in ${failing}) ;; *) exit 0 ;; esac`,
      `[ ${code} = 0 ] || echo no bus >&2`,
      `exit ${code}`,
    ];
    writeFileSync(join(bin, 'systemctl'), `${lines.join('\n')}\n`);
    chmodSync(join(bin, 'systemctl'), 0o755);
  };
  answer(0);
  const env = {
    PATH: `${bin}${delimiter}${machine.env.PATH}`,
    XDG_CONFIG_HOME: join(machine.folder, 'my config'),
    COLUMNS: '300',
  };
  const run = (...words: string[]) => machine.run(words, { env });
  return {
    machine,
    answer,
    run,
    env,
    unit: join(machine.folder, 'my config', 'systemd', 'user', 'smart-fork.service'),
    service: (...words: string[]) => run('service', ...words),
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
  };
}

async function json(ran: Promise<Awaited<ReturnType<CliMachine['run']>>>) {
  return JSON.parse((await ran).stdout);
}

const STARTED = ['daemon-reload', 'enable smart-fork.service', 'restart smart-fork.service'];

describe.skipIf(process.platform !== 'linux')('smart-fork service', () => {
  it('shows the service’s file and writes nothing with --dry-run, or without confirmation', async () => {
    const { service, unit, calls, machine } = machineWithSystemd();
    const shown = await service('install', '--dry-run');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain(`${unit} (new file)`);
    expect(shown.stdout).toContain(`+ Environment="SMART_FORK_HOME=${machine.home}"`);
    expect(await service('install')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(existsSync(unit)).toBe(false);
    expect(calls()).toEqual([]);
  });

  it('installs the service with absolute paths and no secret, names what it will lack, and removes it exactly', async () => {
    const { service, unit, calls, machine, env } = machineWithSystemd();
    const secret = { ...env, QDRANT_API_KEY: 'secret-of-mine' };
    const installed = await machine.run(['service', 'install', '--yes'], { env: secret });
    expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining('QDRANT_API_KEY') });
    const text = readFileSync(unit, 'utf8');
    expect(text).toMatch(/^ExecStart="\/\S+" "\/\S+\/dist\/bin\.cjs" "serve"$/m);
    expect(text).toContain(`Environment="CODEX_HOME=${machine.env.CODEX_HOME}"`);
    expect(text + installed.stdout + installed.stderr).not.toContain('secret-of-mine');
    expect(calls()).toEqual(STARTED.map((words) => `--user ${words}`));
    const status = await json(service('status', '--json'));
    expect(z.strictObject(serviceStatusShape).parse(status)).toMatchObject({
      state: 'installed',
      registered: true,
      gone: null,
      running: null,
      path: unit,
      log: 'journalctl --user -u smart-fork',
    });
    expect(await json(service('install', '--yes', '--json'))).toMatchObject({ action: 'none', done: true });
    expect(await service('uninstall', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(calls().at(-1)).toBe('--user disable --now smart-fork.service');
    expect([unit, join(machine.home, 'service.json')].filter((path) => existsSync(path))).toEqual([]);
    expect(await json(service('status', '--json'))).toMatchObject({ state: 'absent', registered: false });
  });

  it('leaves nothing behind if systemd does not start the service', async () => {
    const { service, unit, answer, machine } = machineWithSystemd();
    answer(1);
    const failed = await service('install', '--yes');
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('daemon-reload failed: no bus'),
    });
    expect([unit, join(machine.home, 'service.json')].filter((path) => existsSync(path))).toEqual([]);
  });

  it('unregisters a service that did not start, and restarts the previous one', async () => {
    const { service, unit, answer, calls, machine } = machineWithSystemd();
    answer(1, 'restart');
    expect(await service('install', '--yes')).toMatchObject({ code: 1 });
    expect(calls().at(-1)).toBe('--user disable --now smart-fork.service');
    answer(0);
    await service('install', '--yes');
    const [text, count] = [readFileSync(unit, 'utf8'), calls().length];
    answer(1, 'restart');
    const token = join(machine.folder, 'token');
    expect(await service('install', '--yes', '--token-file', token)).toMatchObject({ code: 1 });
    expect(readFileSync(unit, 'utf8')).toBe(text);
    expect(calls().slice(count)).toEqual(
      [
        'is-enabled --quiet smart-fork.service',
        ...STARTED,
        'disable --now smart-fork.service',
        ...STARTED,
      ].map((words) => `--user ${words}`),
    );
  });

  it('leaves alone a service file changed by the user, unless forced', async () => {
    const { service, run, unit, calls } = machineWithSystemd();
    await service('install', '--yes');
    const text = `${readFileSync(unit, 'utf8')}# mine\n`;
    writeFileSync(unit, text);
    const before = calls();
    for (const ran of [await service('uninstall', '--yes'), await run('uninstall', '--yes')]) {
      expect(ran.code).not.toBe(0);
      expect(ran.stdout + ran.stderr).toContain('was changed since smart-fork wrote it');
    }
    expect(readFileSync(unit, 'utf8')).toBe(text);
    expect(calls()).toEqual(before);
    const again = await json(service('install', '--yes', '--json'));
    expect(again).toMatchObject({ action: 'change', done: true });
    expect(readFileSync(again.backup, 'utf8')).toBe(text);
    writeFileSync(unit, text);
    expect(await service('uninstall', '--yes', '--force')).toMatchObject({ code: 0 });
    expect(existsSync(unit)).toBe(false);
  });

  it('removes the service with everything else on uninstall', async () => {
    const { service, run, unit, calls } = machineWithSystemd();
    await service('install', '--yes');
    const removed = await json(run('uninstall', '--yes', '--json'));
    expect(removed).toMatchObject({ service: { path: unit, removed: true, error: null }, done: true });
    expect(existsSync(unit)).toBe(false);
    expect(calls().at(-1)).toBe('--user disable --now smart-fork.service');
  });

  it('names a service whose program is gone in doctor', async () => {
    const { service, run, machine } = machineWithSystemd();
    await service('install', '--yes');
    const notes = join(machine.home, 'service.json');
    const gone = join(machine.folder, 'gone', 'node');
    writeFileSync(notes, JSON.stringify({ ...JSON.parse(readFileSync(notes, 'utf8')), programs: [gone] }));
    const { checks } = await json(run('doctor', '--json'));
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'Service', status: 'fail', message: expect.stringContaining(gone) }),
    );
    expect(await service('status')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('is missing'),
    });
    rmSync(notes);
  });
});
