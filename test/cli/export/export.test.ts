import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliMachine, useCliMachines } from '../../support/machines/cli-machine.ts';

const createCliMachine = useCliMachines();

const ID = '6ddaaadd-3dcc-4f83-868f-73ba71dbb313';

async function indexed(): Promise<CliMachine> {
  const machine = createCliMachine();
  await machine.run(['index', '--no-embed']);
  return machine;
}

async function exported(machine: CliMachine, words: string[] = []) {
  const ran = await machine.run(['export', '--to', join(machine.folder, 'notes'), '--json', ...words]);
  expect(ran).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout);
}

function fileOf(machine: CliMachine, id = ID): string {
  return join(machine.folder, 'notes', 'claude', `${id}.md`);
}

describe('an export', () => {
  it('exports a Markdown file per session, with its facts and then its turns', async () => {
    const machine = await indexed();
    const report = await exported(machine);
    const files = readdirSync(join(machine.folder, 'notes', 'claude'));
    expect(files).toHaveLength(report.written);
    const text = readFileSync(fileOf(machine), 'utf8');
    const facts = ['Session ID', 'Agent', 'Working Directory', 'Repo Root', 'Date'];
    for (const fact of facts) expect(text).toMatch(new RegExp(`^- ${fact}: \\S`, 'm'));
    expect(text).toContain(`- Session ID: ${ID}\n- Agent: claude\n`);
    expect(text.indexOf('## Turn 1')).toBeGreaterThan(text.indexOf('- Date: '));
    expect(text).toMatch(/## Turn 1 \(2\S+\)\n\n### User\n\n[^#]*token usage/);
    expect(text).toContain('### Assistant\n\n');
  });

  it('exports only changed sessions, and removes files of sessions no longer indexed', async () => {
    const machine = await indexed();
    const { written } = await exported(machine);
    const other = join(machine.folder, 'notes', 'claude', 'mine.md');
    writeFileSync(other, '# my own notes\n');
    expect(await exported(machine)).toMatchObject({ written: 0, unchanged: written, removed: 0 });
    await machine.run(['tag', '6ddaaadd', 'usage']);
    expect(await exported(machine)).toMatchObject({ written: 1, unchanged: written - 1 });
    expect(readFileSync(fileOf(machine), 'utf8')).toContain('- Tags: usage\n');
    await machine.run(['forget', '6ddaaadd', '--yes']);
    expect(await exported(machine)).toMatchObject({ written: 0, unchanged: written - 1, removed: 1 });
    expect(existsSync(fileOf(machine))).toBe(false);
    expect(readFileSync(other, 'utf8')).toBe('# my own notes\n');
  });

  it('deletes an export in smart-fork’s home when its session is forgotten', async () => {
    const machine = await indexed();
    await machine.run(['export']);
    const file = join(machine.home, 'export', 'claude', `${ID}.md`);
    expect(existsSync(file)).toBe(true);
    await machine.run(['forget', '6ddaaadd', '--yes']);
    expect(existsSync(file)).toBe(false);
  });

  it('leaves alone exports of sessions that the filters do not match', async () => {
    const machine = await indexed();
    await exported(machine);
    await machine.run(['tag', '6ddaaadd', 'usage']);
    expect(await exported(machine, ['--tag', 'usage'])).toMatchObject({ written: 1, removed: 0 });
    expect(readdirSync(join(machine.folder, 'notes', 'claude')).length).toBeGreaterThan(1);
  });

  it('never overwrites a file written by another program', async () => {
    const machine = await indexed();
    mkdirSync(join(machine.folder, 'notes', 'claude'), { recursive: true });
    writeFileSync(fileOf(machine), 'my own notes\n');
    const ran = await machine.run(['export', '--to', join(machine.folder, 'notes')]);
    expect(ran.code).toBe(1);
    expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain(`another program wrote claude/${ID}.md`);
    expect(readFileSync(fileOf(machine), 'utf8')).toBe('my own notes\n');
  });

  it('names the export folder that cannot be written', async () => {
    const machine = await indexed();
    writeFileSync(join(machine.folder, 'notes'), '');
    const ran = await machine.run(['export', '--to', join(machine.folder, 'notes')]);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(`cannot export to ${machine.folder}/notes`);
  });
});

describe('the registry beside an export', () => {
  it('lists all sessions in the schema of the requirements, and none that was forgotten', async () => {
    const machine = await indexed();
    await machine.run(['export']);
    const path = join(machine.home, 'export', 'session-registry.json');
    const read = () => JSON.parse(readFileSync(path, 'utf8'));
    const { sessions } = JSON.parse((await machine.run(['sessions', '-n', '100', '--json'])).stdout);
    const [first] = sessions;
    expect(read()).toMatchObject({
      version: '1.0',
      total_sessions: sessions.length,
      last_synced: expect.any(String),
    });
    expect(read().sessions[first.session_id]).toMatchObject({
      project: first.repo_name,
      topic: first.title,
      message_count: first.message_count,
      updated_at: first.ended_at,
      memory_types: first.markers,
      chunk_count: expect.any(Number),
      indexed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      languages: expect.any(Array),
    });
    await machine.run(['forget', first.session_id, '--yes']);
    expect(existsSync(path)).toBe(false);
    await machine.run(['export']);
    expect(read().total_sessions).toBe(sessions.length - 1);
    writeFileSync(path, '{"version": "2.0"}');
    await machine.run(['export']);
    expect(read()).toEqual({ version: '2.0' });
  });
});

describe('an export for qmd', () => {
  it('registers one qmd collection per agent with sessions, and updates the index each time', async () => {
    const machine = await indexed();
    const env = withQmd(machine);
    for (const _ of [1, 2]) {
      const ran = await machine.run(['export', '--qmd'], { env });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toContain('qmd search WORDS -c claude-sessions');
      expect(ran.stdout).toContain('By meaning: qmd query WORDS');
    }
    const folder = join(machine.home, 'export');
    expect(calls(machine).filter(([first, second]) => `${first} ${second}` !== 'collection show')).toEqual([
      ['collection', 'add', join(folder, 'claude'), '--name', 'claude-sessions'],
      ['update'],
      ['embed', '-c', 'claude-sessions'],
      ['update'],
      ['embed', '-c', 'claude-sessions'],
    ]);
  });

  it('exports although qmd cannot embed, and says why', async () => {
    const machine = await indexed();
    const env = withQmd(machine);
    const path = join(machine.folder, 'programs', 'qmd');
    writeFileSync(path, `${readFileSync(path, 'utf8')}[ "$1" != embed ] || { echo no model >&2; exit 1; }\n`);
    const { code, stdout } = await machine.run(['export', '--qmd'], { env });
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /Search by meaning is missing: .*embed -c claude-sessions.* no model/,
    );
    const { qmd } = JSON.parse((await machine.run(['export', '--qmd', '--json'], { env })).stdout);
    expect(qmd).toEqual({ embedded: false, problem: expect.stringContaining('no model') });
  });

  it('refuses a qmd collection that has another folder', async () => {
    const machine = await indexed();
    const env = withQmd(machine);
    await machine.run(['export', '--qmd'], { env });
    const ran = await machine.run(['export', '--qmd', '--to', join(machine.folder, 'notes')], { env });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("qmd's collection claude-sessions is the folder");
  });

  it('refuses a qmd that is too old, which npm installs with Node 20', async () => {
    const machine = await indexed();
    const env = withQmd(machine);
    const path = join(machine.folder, 'programs', 'qmd');
    writeFileSync(path, '#!/bin/sh\n[ "$2" != show ] || { echo "Unknown subcommand: show" >&2; exit 1; }\n');
    const ran = await machine.run(['export', '--qmd'], { env });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('npm install -g @tobilu/qmd@latest')]);
  });

  it('says how to install qmd before it writes anything', async () => {
    const machine = await indexed();
    const ran = await machine.run(['export', '--qmd'], { env: { PATH: machine.folder } });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('npm install -g @tobilu/qmd');
    expect(existsSync(join(machine.home, 'export'))).toBe(false);
  });
});

/** A program that answers like qmd 2.8 and records how it was called. */
function withQmd(machine: CliMachine): { PATH: string } {
  const folder = join(machine.folder, 'programs');
  mkdirSync(folder);
  const script = `#!/bin/sh
for word in "$@"; do printf '%s\\037' "$word"; done >> ${folder}/calls
echo >> ${folder}/calls
case "$1 $2" in
  "collection add") printf '%s' "$3" > ${folder}/$5 ;;
  "collection show")
    [ -e ${folder}/$3 ] || { echo "Collection not found: $3" >&2; exit 1; }
    printf 'Collection: %s\\n  Path:     %s\\n  Pattern:  **/*.md\\n' "$3" "$(cat ${folder}/$3)" ;;
esac
`;
  writeFileSync(join(folder, 'qmd'), script);
  chmodSync(join(folder, 'qmd'), 0o755);
  rmSync(join(folder, 'calls'), { force: true });
  return { PATH: `${folder}:${machine.env.PATH}` };
}

function calls(machine: CliMachine): string[][] {
  const lines = readFileSync(join(machine.folder, 'programs', 'calls'), 'utf8')
    .split('\n')
    .slice(0, -1);
  return lines.map((line) => line.split('\x1f').slice(0, -1));
}
