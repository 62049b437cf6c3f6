import { hookEntries, type Launch, serverEntry } from '../../../src/domain/machine/agent-hooks.ts';

export const LAUNCH: Launch = {
  node: '/opt/node/bin/node',
  program: '/opt/smart-fork/dist/bin.cjs',
};
export const MOVED: Launch = {
  node: "/home/o'neil/my node/bin/node",
  program: '/srv/smart fork/dist/bin.cjs',
};
export const HOOKS = hookEntries('claude', LAUNCH, 'linux');
export const SERVER = serverEntry(LAUNCH);

const FOREIGN = '{"type":"command","command":"notify-send done"}';

/** Files with hooks, as users have them. */
export const HOOK_FILES: Record<string, string> = {
  'no file': '',
  'blank lines': '\n\n',
  'an empty object': '{}',
  'an empty object over two lines': '{\n}\n',
  'only a comment inside': '{\n  // nothing yet\n}\n',
  'settings without hooks': '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls:*)"] }\n}\n',
  'no final newline': '{\n  "model": "opus"\n}',
  tabs: '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
  'four spaces': '{\n    "model": "opus"\n}\n',
  'windows line ends': '{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n',
  'a byte order mark': '\ufeff{\n  "model": "opus"\n}\n',
  'a byte order mark alone': '\ufeff',
  'all on one line': `{"model":"opus","hooks":{"Stop":[{"hooks":[${FOREIGN}]}]}}`,
  'comments everywhere': `// mine
{
  // why this one
  "model": "opus", // the best
  /* hooks */ "hooks": {
    // first
    "Stop": [
      // ring
      { "hooks": [${FOREIGN}] } // a bell
      // no more
    ] // end of stop
    // end of hooks
  } // end
  // bye
}
// after all
`,
  'trailing commas': `{\n  "model": "opus",\n  "hooks": {\n    "Stop": [\n      { "hooks": [${FOREIGN},], },\n    ],\n  },\n}\n`,
  'foreign hooks on each event': `{
  "hooks": {
    "PreToolUse": [{ "matcher": "Bash", "hooks": [${FOREIGN}] }],
    "Stop": [{ "hooks": [${FOREIGN}, ${FOREIGN}] }],
    "SubagentStop": [{ "matcher": "", "hooks": [] }],
    "SessionStart": [],
    "SessionEnd": [{ "hooks": [${FOREIGN}] }]
  },
  "model": "opus"
}
`,
  'empty hooks': '{\n  "hooks": {}\n}\n',
  'odd things in places that do not matter':
    '{\n  "hooks": {\n    "Notification": "no",\n    "Stop": [1, null, {"hooks": "x"}, {"hooks": [null, {"command": 5}]}]\n  },\n  "list": [[], {}]\n}\n',
  'words of ours in a string': '{\n  "note": "smart-fork hook stop",\n  "é": "日本語 \\u00e9"\n}\n',
  "the seed's own hook": `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"smart-fork index --repo \\"$CLAUDE_PROJECT_DIR\\""}]}]}}`,
};

export const CLAUDE_STATE_FILES: Record<string, string> = {
  'no file': '',
  'an empty object': '{}',
  'what claude writes':
    '{\n  "numStartups": 12,\n  "projects": {\n    "/a": { "mcpServers": {} }\n  },\n  "userID": "x"\n}',
  'no servers': '{\n  "mcpServers": {},\n  "numStartups": 1\n}',
  'another server':
    '{\n  "mcpServers": {\n    "other": {\n      "type": "http",\n      "url": "https://x.test"\n    }\n  },\n  "numStartups": 1\n}',
  'all on one line': '{"mcpServers":{"other":{"command":"x","args":[]}},"n":1}',
  'windows line ends': '{\r\n  "n": 1\r\n}\r\n',
};

export const UNUSABLE_HOOK_FILES: Record<string, string> = {
  'cut off': '{\n  "hooks": {\n    "Stop": [',
  'not JSON': 'model = "opus"\n',
  'only a comment': '// nothing\n',
  'a list': '[]',
  'hooks as a list': '{"hooks": []}',
  'hooks as null': '{"hooks": null}',
  'an event as an object': '{"hooks": {"Stop": {"hooks": []}}}',
  'hooks twice': '{"hooks": {}, "hooks": {}}',
  'an event twice': '{"hooks": {"Stop": [], "Stop": []}}',
  'something behind it': '{} {}',
};

export const TOML_FILES: Record<string, string> = {
  'no file': '',
  'blank lines': '\n\n',
  'one key': 'model = "gpt"\n',
  'no final newline': 'model = "gpt" # mine',
  'windows line ends': 'model = "gpt"\r\n\r\n[tui]\r\nnotifications = true\r\n',
  'a byte order mark': '\ufeffmodel = "gpt"\n',
  'comments at the end': '[tui]\nnotifications = true\n\n# the end\n',
  'other servers':
    '[mcp_servers.other]\ncommand = "x"\nargs = [\n  "a",\n  ["b"],\n]\n\n[mcp_servers.other.env]\nA = "1"\n',
  'a header in a string':
    'text = """\n[mcp_servers.smart-fork]\ncommand = "x"\n"""\nraw = \'\'\'\n\n[[hooks.Stop]]\n\'\'\'\n',
  'many kinds of values':
    'big = 9223372036854775807\nday = 2026-01-02\nat = 2026-01-02T03:04:05Z\nf = 1e3\nn = -0.0\ni = inf\nx = { a = [1, 2] }\n"a b".c = 1\n[[list]]\nv = 1\n[[list]]\nv = 2\n',
  'dotted servers': 'mcp_servers.other.command = "x"\n\n[tui]\na = 1\n',
  'trust of hooks':
    '[hooks.state."/x/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n\n[projects."/a"]\ntrust_level = "trusted"\n',
  'hooks of its own':
    '[[hooks.Stop]]\nmatcher = ""\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "bell"\n\n[tui]\na = 1\n',
};
