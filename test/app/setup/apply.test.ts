import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaudeServerEditor } from '../../../src/adapters/claude/settings.ts';
import { createCodexTomlHooksEditor } from '../../../src/adapters/codex/hooks-toml.ts';
import { createCodexServerEditor } from '../../../src/adapters/codex/settings.ts';
import { createHooksJsonEditor } from '../../../src/adapters/settings/hooks-json.ts';
import { createInstallRecord } from '../../../src/adapters/settings/install-record-file.ts';
import { createSettingsFiles } from '../../../src/adapters/settings/settings-files.ts';
import { applyInit } from '../../../src/app/setup/apply-init.ts';
import { planInit, type SettingsDependencies } from '../../../src/app/setup/plan-init.ts';
import { applyUninstall, planUninstall } from '../../../src/app/setup/plan-uninstall.ts';
import { hookEntries, type Launch, serverEntry } from '../../../src/domain/machine/agent-hooks.ts';
import type { SettingsEditor } from '../../../src/ports/agent-settings.ts';
import {
  CLAUDE_STATE_FILES,
  HOOK_FILES,
  LAUNCH,
  MOVED,
  TOML_FILES,
  UNUSABLE_HOOK_FILES,
} from '../../support/machines/init-samples.ts';

let folder: string;
let deps: SettingsDependencies;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-init-'));
  deps = {
    files: createSettingsFiles(() => Date.UTC(2026, 0, 2, 3, 4, 5)),
    record: createInstallRecord(join(folder, 'home')),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FILES: { name: string; make: (launch: Launch) => SettingsEditor[]; texts: Record<string, string> }[] = [
  {
    name: 'settings.json',
    make: (launch) => [
      createHooksJsonEditor('claude', at('settings.json'), hookEntries('claude', launch, 'linux')),
    ],
    texts: HOOK_FILES,
  },
  {
    name: '.claude.json',
    make: (launch) => [createClaudeServerEditor(at('.claude.json'), serverEntry(launch))],
    texts: CLAUDE_STATE_FILES,
  },
  {
    name: 'config.toml',
    make: (launch) => [
      createCodexTomlHooksEditor(at('config.toml'), hookEntries('codex', launch, 'linux')),
      createCodexServerEditor(at('config.toml'), serverEntry(launch), ['QDRANT_URL']),
    ],
    texts: TOML_FILES,
  },
];

function at(name: string): string {
  return join(folder, 'agent', name);
}

function put(name: string, text: string | Buffer): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  return at(name);
}

function install(editors: SettingsEditor[]) {
  return applyInit(deps, planInit(deps, editors));
}

function uninstall(editors: SettingsEditor[]) {
  return applyUninstall(deps, planUninstall(deps, editors));
}

for (const { name, make, texts } of FILES) {
  describe(`init, then uninstall, in ${name}`, () => {
    for (const [kind, text] of Object.entries(texts)) {
      it(`restores the file byte for byte: ${kind}`, () => {
        const there = kind !== 'no file';
        if (there) put(name, text);
        expect(install(make(LAUNCH)).map(({ problem }) => problem)).toEqual(make(LAUNCH).map(() => null));
        const written = readFileSync(at(name));
        expect(planInit(deps, make(LAUNCH)).map(({ before, after }) => before === after)).not.toContain(
          false,
        );
        install(make(LAUNCH));
        expect(readFileSync(at(name))).toEqual(written);
        uninstall(make(LAUNCH));
        expect(existsSync(at(name))).toBe(there);
        if (there) expect(readFileSync(at(name), 'utf8')).toBe(text);
        expect(readdirSync(folder).includes('agent')).toBe(there);
        if (there) expect(readdirSync(dirname(at(name)))).toEqual([name]);
        expect(deps.record.load()).toEqual([]);
      });
    }
  });
}

describe('init', () => {
  const hooks = (launch = LAUNCH) =>
    createHooksJsonEditor('claude', at('settings.json'), hookEntries('claude', launch, 'linux'));

  it('backs up a file, readable only by its owner', () => {
    const text = '{\n  "model": "opus"\n}\n';
    chmodSync(put('settings.json', text), 0o644);
    const [applied] = install([hooks()]);
    expect(applied?.backup).toBe(`${at('settings.json')}.20260102T030405Z.bak`);
    expect(readFileSync(applied?.backup ?? '', 'utf8')).toBe(text);
    expect(statSync(applied?.backup ?? '').mode & 0o777).toBe(0o600);
    expect(statSync(at('settings.json')).mode & 0o777).toBe(0o644);
    expect(install([hooks(MOVED)])[0]?.backup).toBeNull();
  });

  it('creates files readable only by their owner', () => {
    install([hooks()]);
    expect(statSync(at('settings.json')).mode & 0o777).toBe(0o600);
  });

  it('writes through a symbolic link and keeps the link', () => {
    mkdirSync(join(folder, 'dotfiles'));
    writeFileSync(join(folder, 'dotfiles', 'claude.json'), '{}\n');
    mkdirSync(join(folder, 'agent'));
    symlinkSync('../dotfiles/claude.json', at('settings.json'));
    install([hooks()]);
    expect(lstatSync(at('settings.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'dotfiles', 'claude.json'), 'utf8')).toContain('hook stop');
    uninstall([hooks()]);
    expect(lstatSync(at('settings.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'dotfiles', 'claude.json'), 'utf8')).toBe('{}\n');
    expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['claude.json']);
  });

  it('refuses a dangling link and bytes that are not UTF-8', () => {
    mkdirSync(join(folder, 'agent'));
    symlinkSync('../nowhere.json', at('settings.json'));
    expect(install([hooks()])[0]?.problem?.code).toBe('CONFIG_INVALID');
    rmSync(at('settings.json'));
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    put('settings.json', bytes);
    expect(install([hooks()])[0]?.problem?.message).toContain('not UTF-8');
    expect(readFileSync(at('settings.json'))).toEqual(bytes);
  });

  for (const [kind, text] of Object.entries(UNUSABLE_HOOK_FILES)) {
    it(`leaves an unusable file alone and changes the others: ${kind}`, () => {
      put('settings.json', text);
      const server = createClaudeServerEditor(at('.claude.json'), serverEntry(LAUNCH));
      const [first, second] = install([hooks(), server]);
      expect(first?.problem?.code).toBe('CONFIG_INVALID');
      expect(second?.problem).toBeNull();
      expect(readFileSync(at('settings.json'), 'utf8')).toBe(text);
      expect(readdirSync(join(folder, 'agent')).sort()).toEqual(['.claude.json', 'settings.json']);
    });
  }

  it('keeps changes made between the plan and its application', () => {
    put('settings.json', '{}');
    const plan = planInit(deps, [hooks()]);
    put('settings.json', '{"model": "opus"}');
    applyInit(deps, plan);
    const value = JSON.parse(readFileSync(at('settings.json'), 'utf8'));
    expect([value.model, Object.keys(value.hooks).length]).toEqual(['opus', 4]);
  });

  it('can still restore the original file after smart-fork moved', () => {
    const text = '{\n  "hooks": { "Stop": [] }\n}';
    put('settings.json', text);
    install([hooks()]);
    install([hooks(MOVED)]);
    uninstall([hooks(MOVED)]);
    expect(readFileSync(at('settings.json'), 'utf8')).toBe(text);
  });
});

describe('uninstall', () => {
  const hooks = () =>
    createHooksJsonEditor('claude', at('settings.json'), hookEntries('claude', LAUNCH, 'linux'));

  it('removes only our entries from a file changed since, and reports the backup', () => {
    put('settings.json', '{\n  // mine\n  "hooks": { "Stop": [] }\n}\n');
    install([hooks()]);
    const changed = readFileSync(at('settings.json'), 'utf8').replace('// mine', '// mine, and new');
    put('settings.json', changed);
    const [done] = uninstall([hooks()]);
    expect(readFileSync(at('settings.json'), 'utf8')).toBe(
      '{\n  // mine, and new\n  "hooks": { "Stop": []\n  }\n}\n',
    );
    expect(existsSync(done?.backup ?? '')).toBe(true);
  });

  it('keeps a file created by init if somebody else uses it now', () => {
    const server = createClaudeServerEditor(at('.claude.json'), serverEntry(LAUNCH));
    install([server]);
    const value = JSON.parse(readFileSync(at('.claude.json'), 'utf8'));
    put('.claude.json', JSON.stringify({ ...value, userID: 'x' }, null, 2));
    uninstall([server]);
    expect(JSON.parse(readFileSync(at('.claude.json'), 'utf8'))).toEqual({ userID: 'x' });
  });

  it('uninstalls without the record of what init did', () => {
    put('settings.json', '{\n  "model": "opus"\n}\n');
    install([hooks()]);
    rmSync(join(folder, 'home'), { recursive: true });
    uninstall([hooks()]);
    expect(readFileSync(at('settings.json'), 'utf8')).toBe('{\n  "model": "opus"\n}\n');
  });

  it('does nothing if there are no entries', () => {
    expect(uninstall([hooks()]).map(({ problem }) => problem)).toEqual([null]);
    expect(existsSync(at('settings.json'))).toBe(false);
  });
});
