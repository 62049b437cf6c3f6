import { describe, expect, it } from 'vitest';
import { createClaudeServerEditor } from '../../../src/adapters/claude/settings.ts';
import { createCodexTomlHooksEditor } from '../../../src/adapters/codex/hooks-toml.ts';
import { createCodexServerEditor } from '../../../src/adapters/codex/settings.ts';
import { geminiSetup } from '../../../src/adapters/gemini/setup.ts';
import { opencodeSetup } from '../../../src/adapters/opencode/setup.ts';
import { createHooksJsonEditor } from '../../../src/adapters/settings/hooks-json.ts';
import { SmartForkError } from '../../../src/domain/errors.ts';
import {
  hookEntries,
  type Launch,
  type ServerEntry,
  serverEntry,
} from '../../../src/domain/machine/agent-hooks.ts';
import type { SettingsEditor } from '../../../src/ports/agent-settings.ts';
import {
  CLAUDE_STATE_FILES,
  HOOK_FILES,
  HOOKS,
  LAUNCH,
  MOVED,
  SERVER,
  TOML_FILES,
  UNUSABLE_HOOK_FILES,
} from '../../support/machines/init-samples.ts';

const createOpencodeServer = (entry: ServerEntry): SettingsEditor => {
  const editor = opencodeSetup.server?.('opencode.json', entry, []);
  if (editor === undefined) throw new Error('OpenCode takes servers');
  return editor;
};

const EDITORS: Record<string, { make: (launch: Launch) => SettingsEditor; files: Record<string, string> }> = {
  "Claude's hooks": {
    make: (launch) =>
      createHooksJsonEditor('claude', 'settings.json', hookEntries('claude', launch, 'linux')),
    files: HOOK_FILES,
  },
  "Codex's hooks": {
    make: (launch) => createHooksJsonEditor('codex', 'hooks.json', hookEntries('codex', launch, 'linux')),
    files: HOOK_FILES,
  },
  "Codex's hooks in TOML": {
    make: (launch) => createCodexTomlHooksEditor('config.toml', hookEntries('codex', launch, 'linux')),
    files: TOML_FILES,
  },
  "Claude's server": {
    make: (launch) => createClaudeServerEditor('.claude.json', serverEntry(launch)),
    files: CLAUDE_STATE_FILES,
  },
  "Gemini's hooks": {
    make: (launch) =>
      geminiSetup.hooks('settings.json', hookEntries('gemini', launch, 'linux', false, geminiSetup.events)),
    files: HOOK_FILES,
  },
  "OpenCode's server": {
    make: (launch) => createOpencodeServer(serverEntry(launch)),
    files: CLAUDE_STATE_FILES,
  },
  "Codex's server": {
    make: (launch) => createCodexServerEditor('config.toml', serverEntry(launch), ['QDRANT_URL']),
    files: TOML_FILES,
  },
};

for (const [name, { make, files }] of Object.entries(EDITORS)) {
  const editor = make(LAUNCH);
  const moved = make(MOVED);
  describe(`the editor of ${name}`, () => {
    for (const [kind, text] of Object.entries(files)) {
      it(`adds entries once and removes them: ${kind}`, () => {
        expect(editor.state(text)).toBe('absent');
        const added = editor.add(text);
        expect(editor.state(added)).toBe('current');
        expect(editor.add(added)).toBe(added);
        expect(isWithin(compact(text), compact(added))).toBe(true);
        const removed = editor.remove(added, editor.containers(text));
        expect(editor.state(removed)).toBe('absent');
        expect(editor.remove(removed, [])).toBe(removed);
        const blank = compact(text) === '';
        expect(blank ? ['', '{}'] : [compact(text)]).toContain(compact(removed));
      });

      it(`updates entries when smart-fork moved: ${kind}`, () => {
        const added = moved.add(editor.add(text));
        expect(moved.state(added)).toBe('current');
        expect(editor.state(added)).toBe('outdated');
        expect(editor.add(added)).toBe(editor.add(text));
      });
    }
  });
}

describe('the editor of hooks', () => {
  const editor = createHooksJsonEditor('claude', 'settings.json', HOOKS);

  for (const [kind, text] of Object.entries(UNUSABLE_HOOK_FILES)) {
    it(`refuses a file with no place for hooks: ${kind}`, () => {
      expect(() => editor.add(text)).toThrow(SmartForkError);
      expect(() => editor.add(text)).toThrow(/settings\.json/);
    });
  }

  it('merges duplicates of a hook', () => {
    const once = JSON.parse(editor.add('{}'));
    once.hooks.Stop.push(once.hooks.Stop[0], { hooks: [...once.hooks.Stop[0].hooks, { command: 'bell' }] });
    const again = JSON.parse(editor.add(JSON.stringify(once)));
    expect(
      again.hooks.Stop.flatMap((group: { hooks: { command: string }[] }) =>
        group.hooks.map((one) => one.command),
      ),
    ).toEqual([HOOKS[0]?.command, 'bell']);
  });

  it('recognizes hooks written by hand', () => {
    const byHand = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"smart-fork hook stop"}]}]}}';
    expect(editor.state(byHand)).toBe('outdated');
    expect(editor.remove(byHand, [])).toBe('{}');
  });

  it('keeps a hook group shared with another program’s hook', () => {
    const added = JSON.parse(editor.add('{}'));
    added.hooks.Stop[0].hooks.unshift({ type: 'command', command: 'bell' });
    expect(JSON.parse(editor.remove(JSON.stringify(added), []))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'bell' }] }] },
    });
  });

  it('quotes paths with spaces for the shell', () => {
    const [stop] = hookEntries('claude', MOVED, 'linux');
    expect(stop?.command).toBe(
      "'/home/o'\\''neil/my node/bin/node' '/srv/smart fork/dist/bin.cjs' hook stop || exit 0",
    );
    const windows = { node: 'C:\\Program Files\\node.exe', program: 'C:\\sf\\dist\\bin.cjs' };
    expect(hookEntries('claude', windows, 'win32')[0]?.command).toBe(
      '"C:/Program Files/node.exe" "C:/sf/dist/bin.cjs" hook stop || exit 0',
    );
  });
});

describe('the editor of servers', () => {
  it('leaves another server named smart-fork alone in JSON', () => {
    const editor = createClaudeServerEditor('.claude.json', SERVER);
    const text = '{"mcpServers":{"smart-fork":{"type":"http","url":"http://127.0.0.1:1/mcp"}}}';
    expect([editor.state(text), editor.add(text), editor.remove(text, [])]).toEqual(['other', text, text]);
  });

  it('leaves another server named smart-fork alone in TOML', () => {
    const editor = createCodexServerEditor('config.toml', SERVER, ['QDRANT_URL']);
    const text = '[mcp_servers.smart-fork]\nurl = "http://127.0.0.1:1/mcp"\n';
    expect([editor.state(text), editor.add(text), editor.remove(text, [])]).toEqual(['other', text, text]);
  });
});

describe('the editor of Codex’s server', () => {
  const editor = createCodexServerEditor('config.toml', SERVER, ['QDRANT_URL']);

  it('removes its table from the middle of a file, including keys and subtables added by the user', () => {
    const added = editor.add('model = "gpt"\n');
    const grown = `${added}startup_timeout_sec = 20\n\n[mcp_servers.smart-fork.tools.search]\napproval = "auto"\n\n# mine\n[tui]\na = 1\n`;
    expect(editor.remove(grown, [])).toBe('model = "gpt"\n\n# mine\n[tui]\na = 1\n');
  });

  for (const [kind, text] of Object.entries({
    'not TOML': '{"a": 1}',
    'servers in one line': 'mcp_servers = { other = { command = "x" } }\n',
    'servers as a list': '[[mcp_servers]]\nname = "x"\n',
    'a key twice': 'a = 1\na = 2\n',
  })) {
    it(`refuses a file with no place for a server: ${kind}`, () => {
      expect(() => editor.add(text)).toThrow(/config\.toml/);
    });
  }
});

function compact(text: string): string {
  return text.replace(/\s/g, '');
}

/** Whether one text is a subsequence of the other. */
function isWithin(text: string, other: string): boolean {
  let at = 0;
  for (const char of other) if (char === text[at]) at += 1;
  return at === text.length;
}
