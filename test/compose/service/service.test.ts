import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  installService,
  planRemoval,
  planService,
  removeService,
} from '../../../src/app/service/plan-service.ts';
import { serviceDependencies, serviceJob } from '../../../src/compose/service/service.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

/** Installs and removes the service with a program that records its arguments. `print` and `/query` ask whether it is registered. */
async function roundTrip(platform: NodeJS.Platform, program: string) {
  const folder = tempFolder('service');
  const calls = join(folder, 'calls');
  const known = join(folder, 'known');
  const script = `#!/bin/sh
echo "$@" >> '${calls}'
case "$1" in
  print|/query) test -e '${known}' ;;
  bootstrap|/create) touch '${known}' ;;
  bootout|/delete) rm '${known}' ;;
esac
`;
  writeFileSync(join(folder, program), script);
  chmodSync(join(folder, program), 0o755);
  const env = {
    PATH: `${folder}:/usr/bin:/bin`,
    HOME: folder,
    SMART_FORK_HOME: join(folder, 'own'),
    SystemRoot: 'C:\\Windows',
    USERDOMAIN: 'HERE',
    USERNAME: 'me',
  };
  const config = await loadConfig(env);
  const deps = serviceDependencies(config, env, platform);
  const { job, programs } = serviceJob(config, env, null, platform);
  await installService(deps, planService(deps, job), programs);
  const { path } = deps.manager;
  const text = readFileSync(path, 'utf8');
  await installService(deps, planService(deps, job), programs);
  await removeService(deps, planRemoval(deps), false);
  expect([path, known, join(folder, 'own', 'service.json')].filter((file) => existsSync(file))).toEqual([]);
  return { folder, path, text, calls: readFileSync(calls, 'utf8').trim().split('\n') };
}

describe.skipIf(process.platform === 'win32')('the service', () => {
  it('boots the service out of launchd before it is registered again, and when it is removed', async () => {
    const { folder, path, text, calls } = await roundTrip('darwin', 'launchctl');
    const domain = `gui/${process.getuid?.()}`;
    const service = `${domain}/smart-fork.serve`;
    expect(path).toBe(join(folder, 'Library', 'LaunchAgents', 'smart-fork.serve.plist'));
    expect(text).toContain('<key>PATH</key>');
    const start = [`enable ${service}`, `bootstrap ${domain} ${path}`];
    const known = [`print ${service}`, `bootout ${service}`];
    // The second time, launchd is asked first whether the service exists, so that it can be restored on failure.
    const asked = `print ${service}`;
    expect(calls).toEqual([asked, ...start, asked, ...known, ...start, ...known]);
  });

  it('registers a Windows scheduled task, which keeps its own PATH', async () => {
    const { folder, path, text, calls } = await roundTrip('win32', 'schtasks');
    expect(path).toBe(join(folder, 'own', 'service.xml'));
    expect(text).toContain('<UserId>HERE\\me</UserId>');
    expect(text).not.toContain('PATH=');
    const start = ['/end /tn smart-fork', `/create /tn smart-fork /xml ${path} /f`, '/run /tn smart-fork'];
    const stop = ['/query /tn smart-fork', '/end /tn smart-fork', '/delete /tn smart-fork /f'];
    expect(calls).toEqual([...start, '/query /tn smart-fork', ...start, ...stop]);
  });
});
