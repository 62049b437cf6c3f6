/** The commands in the groups and order of `--help`, each with what it is for. */
export const COMMAND_GROUPS = {
  Start: {
    demo: 'try smart-fork on sample sessions, in a temporary home',
    init: 'set up hooks and the MCP server for your agents, then index their sessions',
  },
  Find: {
    search: 'find the session to fork from',
    sessions: 'list recent sessions',
    show: 'show a session and its turns',
    retrieve: 'print the context of one or several sessions, as background for an agent',
    compare: 'compare two sessions: prompts, decisions, files and commits',
    lost: 'show what the summary of the last compaction left out',
    export: 'write sessions as Markdown files, or as one encrypted file',
    which: 'show the sessions that made a commit',
    blame: 'show the sessions that wrote a line',
    usage: 'add up the tokens that sessions used, by model, agent, repository or day',
    stats: 'count indexed sessions, by repository and month',
  },
  Remember: {
    recall: 'answer a question from past decisions, findings and open items',
    topics: 'list the topics of a session, or of recent sessions',
    timeline: 'list decisions, findings and solutions in order',
    open: 'list todos, questions and problems that no session closed',
    memory: 'count ideas and topics, or extract them again',
  },
  Fork: {
    fork: 'pick a session and fork it',
    chain: "draw a session's fork tree",
    restore: 'restore a deleted transcript byte for byte',
  },
  Maintain: {
    serve: 'run the local server: the page, REST, MCP over HTTP, and the worker',
    service: 'start smart-fork serve when you log in',
    index: 'index the transcripts on this machine, newest first',
    status: 'show the background worker, its queue and its last error',
    doctor: 'check the installation and print how to fix problems',
    tag: 'show, add or remove the tags of a session',
    note: 'show, write or remove the note on a session',
    star: 'star sessions, or remove their stars',
    forget: 'remove sessions from the index and the archive',
    scan: 'count the secrets in your transcripts',
    config: 'read and change settings',
    model: 'install, inspect or remove the embedding model',
    reindex: 'rebuild the index from the transcripts',
    uninstall: "remove the service, and the hooks and the MCP server from your agents' settings",
  },
  'Several machines': {
    migrate: 'copy sessions between this machine and the Qdrant server',
    import: 'import sessions from a bundle (export --bundle)',
    key: 'manage the key that encrypts data sent to a server',
  },
  Plumbing: {
    completion: 'print a completion script for bash, zsh, fish or PowerShell',
    mcp: 'run the MCP server on stdio; agents start it',
    worker: 'run the background worker; hooks start it automatically',
  },
} as const satisfies Record<string, Record<string, string>>;

type Groups = typeof COMMAND_GROUPS;
export type CommandName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

/** What each command is for. */
export const PURPOSES: Readonly<Record<CommandName, string>> = Object.assign(
  {},
  ...Object.values(COMMAND_GROUPS),
);

const ALIASES: Record<string, CommandName> = { s: 'search', ls: 'sessions' };

/** A command's name, from the name or its alias; null if there is no such command. */
export function commandNamed(word: string): CommandName | null {
  if (Object.hasOwn(ALIASES, word)) return ALIASES[word] ?? null;
  return isCommand(word) ? word : null;
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(PURPOSES, word);
}

export function aliasesOf(name: string): string[] {
  return Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name);
}

export function commandNames(): CommandName[] {
  return Object.keys(PURPOSES).filter(isCommand);
}
