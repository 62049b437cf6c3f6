import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { parse as parsePlist } from 'plist';
import { describe, expect, it } from 'vitest';
import { launchAgent } from '../../../src/domain/service/launch-agent.ts';
import { scheduledTask } from '../../../src/domain/service/scheduled-task.ts';
import type { ServiceJob } from '../../../src/domain/service/service-job.ts';
import { systemdUnit } from '../../../src/domain/service/systemd-unit.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

const ODD = `a b%h & <c> "d" 'e' é \\ $HOME`;

function job(folder: string, name = ODD): ServiceJob {
  return {
    command: [`${folder}/${name}/node`, `${folder}/${name}/bin.cjs`, 'serve'],
    environment: { SMART_FORK_HOME: `${folder}/${name}`, PATH: '/usr/bin:/bin' },
    log: `${folder}/${name}/serve.log`,
    account: 'HERE\\me & you',
  };
}

const ANALYZE = '/usr/bin/systemd-analyze';

describe("systemd's unit", () => {
  it.skipIf(!existsSync(ANALYZE))(
    'writes a unit that passes systemd-analyze verify, with a path full of special characters',
    () => {
      const folder = tempFolder('unit');
      const program = join(folder, `node b%h & é $HOME`);
      writeFileSync(program, '#!/bin/sh\n');
      chmodSync(program, 0o755);
      const unit = join(folder, 'smart-fork.service');
      const made = { ...job(folder), command: [program, `${folder}/${ODD}/bin.cjs`, 'serve'] };
      writeFileSync(unit, systemdUnit(made));
      const verify = () =>
        execFileSync(ANALYZE, ['--user', 'verify', '--recursive-errors=no', unit], {
          encoding: 'utf8',
          stdio: 'pipe',
          env: { ...process.env, XDG_RUNTIME_DIR: folder, HOME: folder },
        });
      expect(verify).not.toThrow();
      writeFileSync(unit, systemdUnit({ ...made, command: [join(folder, 'gone'), 'serve'] }));
      expect(verify).toThrow(/gone is not executable/);
    },
  );

  it('refuses a program that systemd would not start', () => {
    expect(() => systemdUnit(job('/x'))).toThrow(/systemd cannot start a program with a quotation mark/);
  });

  it('doubles the start of a specifier or variable in arguments, but not in the program’s path', () => {
    const text = systemdUnit({ ...job('/x'), command: ['/a$b%h/node', '/a$b%h/bin.cjs'] });
    expect(text).toContain('ExecStart="/a$b%%h/node" "/a$$b%%h/bin.cjs"\n');
    expect(text).toContain(`Environment="SMART_FORK_HOME=/x/a b%%h & <c> \\"d\\" 'e' é \\\\ $HOME"\n`);
  });
});

describe("launchd's property list", () => {
  it('writes a property list from which a parser reads every path unchanged', () => {
    const made = job('/Users/me');
    expect(parsePlist(launchAgent(made))).toMatchObject({
      Label: 'smart-fork.serve',
      ProgramArguments: made.command,
      EnvironmentVariables: made.environment,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      StandardOutPath: made.log,
      StandardErrorPath: made.log,
    });
  });
});

describe("the Task Scheduler's definition", () => {
  const made = { ...job('C:', `a b & <c> 'e' é ^ !`), account: 'HERE\\me & you' };

  it('writes an ASCII task definition with the schema’s elements in order', () => {
    const text = scheduledTask(made, 'C:\\Windows\\System32');
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    const task = parse(text);
    expect(task.getAttribute('version')).toBe('1.2');
    expect(task.namespaceURI).toBe('http://schemas.microsoft.com/windows/2004/02/mit/task');
    expect(children(task)).toEqual(['RegistrationInfo', 'Triggers', 'Principals', 'Settings', 'Actions']);
    const inside = (name: string) => children(task.getElementsByTagName(name)[0]);
    expect(inside('LogonTrigger')).toEqual(['Enabled', 'UserId']);
    expect(inside('Exec')).toEqual(['Command', 'Arguments']);
    expect(inside('RestartOnFailure')).toEqual(['Interval', 'Count']);
  });

  it('lets cmd set the variables and write the log, without a window', () => {
    const task = parse(scheduledTask(made, 'C:\\Windows\\System32'));
    const textOf = (name: string) => task.getElementsByTagName(name)[0]?.textContent;
    expect(textOf('Command')).toBe('C:\\Windows\\System32\\conhost.exe');
    expect(textOf('UserId')).toBe('HERE\\me & you');
    const folder = `C:/a b & <c> 'e' é ^ !`;
    expect(textOf('Arguments')).toBe(
      `--headless "C:\\Windows\\System32\\cmd.exe" /d /s /c "set "SMART_FORK_HOME=${folder}"&& set "PATH=/usr/bin:/bin"&& "${folder}/node" "${folder}/bin.cjs" "serve" >> "${folder}/serve.log" 2>&1"`,
    );
  });

  it('refuses a path in which cmd would expand a variable', () => {
    expect(() => scheduledTask(job('C:', '100%done'), 'C:\\Windows\\System32')).toThrow(/percent sign/);
  });
});

describe('a service file', () => {
  it.each([systemdUnit, launchAgent, (one: ServiceJob) => scheduledTask(one, 'C:\\W')])(
    'never holds a line break of a path',
    (write) => {
      expect(() => write(job('/x', 'a\nExecStart=b'))).toThrow(/control character/);
    },
  );
});

function parse(text: string) {
  const document = new DOMParser({ onError: (_level, message) => expect.fail(message) });
  const root = document.parseFromString(text, 'text/xml').documentElement;
  if (root === null) throw new Error('no element');
  return root;
}

function children(
  element: { childNodes: Iterable<{ nodeType: number; nodeName: string }> } | undefined,
): string[] {
  return [...(element?.childNodes ?? [])]
    .filter(({ nodeType }) => nodeType === 1)
    .map(({ nodeName }) => nodeName);
}
