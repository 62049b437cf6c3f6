/** What is known about an agent outside its adapter (`src/adapters/<agent>/`). */
export interface AgentRow {
  /** In sentences. */
  name: string;
  /** In lists. */
  shortName: string;
  /** How a query names it: a regular expression without groups. */
  spoken: string;
  /** Its program for a terminal; null if it has none. */
  program: AgentProgramRow | null;
  /** The folder it writes to, and the variable that replaces it; null if none does. */
  home: {
    folder: string;
    variable: string | null;
    /** The variable names the folder that contains it. */
    isParent?: true;
    /**
     * Where it writes on other systems, or other versions did: transcripts are read there too, if the folder exists. `$NAME`: a variable
     * that moves only the transcripts.
     */
    elsewhere?: string[];
  };
  /** Variables that it sets for the programs it starts. */
  variables: {
    /** The session's id. */
    session: string | null;
    /** The agent's process. */
    process: string | null;
    /** The project's folder. */
    project: string | null;
    /** Others that mark a child, which would save no session. */
    child: string[];
  };
  /** What a user types before the name of a skill, and before the name of a skill from the plugin. */
  skills: { mark: string; fromPlugin: string };
  /** `<program> plugin <verb>` installs the plugin; null if there is none for this agent. */
  pluginVerb: string | null;
  hooks: {
    /** Time limit of the hook at a session's end, in seconds. */
    endSeconds: number;
    /** What a user types in the agent to trust hooks; null if it runs them without that. */
    trust: string | null;
  };
  /** When it deletes transcripts, unless its setting says otherwise; null: never. */
  cleanup: { days: number; setting: string; file: string } | null;
  /** Its name for its cheapest model (null: none); absent if it cannot answer a question without a session. */
  model?: { cheapest: string | null };
}

export interface AgentProgramRow {
  command: string;
  /** The npm package. */
  package: string;
  /** The first version that forks a session from the command line, or resumes a copy of one; null if none does. */
  forksSince: string | null;
}

/** For an agent that tells the programs it starts nothing, and for which there is no plugin. */
const PLAIN = {
  variables: { session: null, process: null, project: null, child: [] },
  skills: { mark: '/', fromPlugin: '' },
  pluginVerb: null,
  hooks: { endSeconds: 10, trust: null },
};

/** Where editors made of VS Code keep what belongs to their user, on the three systems. */
function editorFolders(...names: string[]): string[] {
  const places = ['~/.config', '~/Library/Application Support', '~/AppData/Roaming'];
  return places.flatMap((place) => names.map((name) => `${place}/${name}/User`));
}

const OTHER_EDITORS = ['Code - Insiders', 'VSCodium', 'VSCodium - Insiders', 'Code - OSS'];
/** As a package of Flatpak, and in a browser. */
const IN_BOXES = ['~/.var/app/com.visualstudio.code/config/Code/User', '~/.local/share/code-server/User'];
/** Editors that extensions run in, also as the server that an editor on another machine works with. */
const WITH_EXTENSIONS = [
  ...editorFolders('Code', ...OTHER_EDITORS, 'Cursor', 'Windsurf', 'Trae', 'Kiro', 'Antigravity', 'Positron'),
  ...IN_BOXES,
  ...['vscode-server', 'vscode-server-insiders', 'vscode-remote', 'cursor-server', 'windsurf-server'].map(
    (name) => `~/.${name}/data/User`,
  ),
];

const rows = {
  claude: {
    name: 'Claude Code',
    shortName: 'Claude',
    spoken: 'claude(?:[ -]code)?',
    program: { command: 'claude', package: '@anthropic-ai/claude-code', forksSince: '1.0.124' },
    home: { folder: '~/.claude', variable: 'CLAUDE_CONFIG_DIR', elsewhere: ['~/.config/claude'] },
    variables: {
      session: 'CLAUDE_CODE_SESSION_ID',
      process: 'CLAUDE_PID',
      project: 'CLAUDE_PROJECT_DIR',
      child: ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_CODE_ENTRYPOINT'],
    },
    skills: { mark: '/', fromPlugin: '' },
    pluginVerb: 'install',
    // It kills a SessionEnd hook after 1.5 seconds by default.
    hooks: { endSeconds: 10, trust: null },
    cleanup: { days: 30, setting: 'cleanupPeriodDays', file: 'settings.json' },
    model: { cheapest: 'haiku' },
  },
  codex: {
    name: 'Codex',
    shortName: 'Codex',
    spoken: 'codex',
    program: { command: 'codex', package: '@openai/codex', forksSince: '0.81.0' },
    home: { folder: '~/.codex', variable: 'CODEX_HOME' },
    variables: { session: 'CODEX_THREAD_ID', process: null, project: null, child: [] },
    skills: { mark: '$', fromPlugin: 'smart-fork:' },
    pluginVerb: 'add',
    // It warns about longer ones.
    hooks: { endSeconds: 3, trust: '/hooks' },
    cleanup: null,
    model: { cheapest: null },
  },
  opencode: {
    name: 'OpenCode',
    shortName: 'OpenCode',
    spoken: 'open ?code',
    program: { command: 'opencode', package: 'opencode-ai', forksSince: '1.2.0' },
    home: { folder: '~/.local/share/opencode', variable: 'XDG_DATA_HOME', isParent: true },
    ...PLAIN,
    cleanup: null,
  },
  pi: {
    name: 'Pi',
    shortName: 'Pi',
    spoken: 'pi(?:[ -]agent)?',
    program: { command: 'pi', package: '@earendil-works/pi-coding-agent', forksSince: '0.60.0' },
    home: {
      folder: '~/.pi/agent',
      variable: 'PI_CODING_AGENT_DIR',
      elsewhere: ['$PI_CODING_AGENT_SESSION_DIR'],
    },
    ...PLAIN,
    skills: { mark: '/skill:', fromPlugin: '' },
    cleanup: null,
  },
  copilot: {
    name: 'Copilot CLI',
    shortName: 'Copilot',
    spoken: 'copilot(?:[ -]cli)?',
    program: { command: 'copilot', package: '@github/copilot', forksSince: '1.0.102' },
    home: { folder: '~/.copilot', variable: 'COPILOT_HOME' },
    ...PLAIN,
    variables: { ...PLAIN.variables, session: 'COPILOT_AGENT_SESSION_ID' },
    cleanup: null,
  },
  gemini: {
    name: 'Gemini CLI',
    shortName: 'Gemini',
    spoken: 'gemini(?:[ -]cli)?',
    program: { command: 'gemini', package: '@google/gemini-cli', forksSince: '0.61.0' },
    home: { folder: '~/.gemini', variable: 'GEMINI_CLI_HOME', isParent: true },
    ...PLAIN,
    cleanup: { days: 30, setting: 'general.sessionRetention', file: 'settings.json' },
  },
  qwen: {
    name: 'Qwen Code',
    shortName: 'Qwen',
    spoken: 'qwen(?:[ -]code)?',
    program: { command: 'qwen', package: '@qwen-code/qwen-code', forksSince: '0.15.0' },
    home: { folder: '~/.qwen', variable: 'QWEN_HOME', elsewhere: ['$QWEN_RUNTIME_DIR'] },
    ...PLAIN,
    cleanup: null,
  },
  cursor: {
    name: 'Cursor',
    shortName: 'Cursor',
    spoken: 'cursor(?:[ -](?:cli|agent))?',
    program: null,
    home: { folder: '~/.cursor', variable: 'CURSOR_DATA_DIR' },
    ...PLAIN,
    cleanup: null,
  },
  vscode: {
    name: 'VS Code chat',
    shortName: 'VS Code',
    spoken: 'vs ?code(?:[ -]chat)?',
    program: null,
    home: {
      folder: '~/.config/Code/User',
      variable: null,
      elsewhere: [...editorFolders('Code', ...OTHER_EDITORS), ...IN_BOXES],
    },
    ...PLAIN,
    cleanup: null,
  },
  cline: {
    name: 'Cline',
    shortName: 'Cline',
    spoken: 'cline',
    program: null,
    home: {
      folder: '~/.cline',
      variable: 'CLINE_DIR',
      elsewhere: ['~/.config/Code/User', ...WITH_EXTENSIONS],
    },
    ...PLAIN,
    cleanup: null,
  },
  roo: {
    name: 'Roo Code',
    shortName: 'Roo',
    spoken: 'roo(?:[ -]code)?',
    program: null,
    home: { folder: '~/.config/Code/User', variable: null, elsewhere: WITH_EXTENSIONS },
    ...PLAIN,
    cleanup: null,
  },
  goose: {
    name: 'Goose',
    shortName: 'Goose',
    spoken: 'goose',
    program: null,
    home: {
      folder: '~/.local/share/goose',
      variable: 'GOOSE_PATH_ROOT',
      elsewhere: ['~/Library/Application Support/Block/goose', '~/AppData/Roaming/Block/goose/data'],
    },
    ...PLAIN,
    cleanup: null,
  },
} satisfies Record<string, AgentRow>;

/** A row makes an agent: the tables by agent then ask for it. */
export type Agent = keyof typeof rows;

/** Every agent, one row each. */
export const AGENT_ROWS: Record<Agent, AgentRow> = rows;

/** In the order of the rows. The first is assumed where nothing says which agent it is. */
export const AGENTS = Object.keys(rows) as [Agent, ...Agent[]];
