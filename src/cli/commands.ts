import type { Argv, CommandModule } from 'yargs';
import { searchCommand } from './search/search-command.ts';

type Load = () => Promise<CommandModule>;

/** The commands in the groups and order of `--help`. Each is loaded when it runs, except the one that runs most. */
export const COMMAND_GROUPS = {
  Start: {
    demo: async () => asModule((await import('./setup/demo-command.ts')).demoCommand),
    init: async () => asModule((await import('./setup/init-command.ts')).initCommand),
  },
  Find: {
    search: async () => asModule(searchCommand),
    sessions: async () => asModule((await import('./read/sessions-command.ts')).sessionsCommand),
    show: async () => asModule((await import('./read/show-command.ts')).showCommand),
    retrieve: async () => asModule((await import('./read/retrieve-command.ts')).retrieveCommand),
    compare: async () => asModule((await import('./read/compare-command.ts')).compareCommand),
    lost: async () => asModule((await import('./compaction/lost-command.ts')).lostCommand),
    export: async () => asModule((await import('./export/export-command.ts')).exportCommand),
    which: async () => asModule((await import('./trace/which-command.ts')).whichCommand),
    blame: async () => asModule((await import('./trace/blame-command.ts')).blameCommand),
    usage: async () => asModule((await import('./usage/usage-command.ts')).usageCommand),
    stats: async () => asModule((await import('./search/stats-command.ts')).statsCommand),
  },
  Remember: {
    recall: async () => asModule((await import('./memory/recall-command.ts')).recallCommand),
    topics: async () => asModule((await import('./memory/topics-command.ts')).topicsCommand),
    timeline: async () => asModule((await import('./memory/timeline-command.ts')).timelineCommand),
    open: async () => asModule((await import('./memory/open-command.ts')).openCommand),
    memory: async () => asModule((await import('./memory/memory-command.ts')).memoryCommand),
  },
  Fork: {
    fork: async () => asModule((await import('./fork/fork-command.ts')).forkCommand),
    ask: async () => asModule((await import('./fork/ask-command.ts')).askCommand),
    chain: async () => asModule((await import('./fork/chain-command.ts')).chainCommand),
    forks: async () => asModule((await import('./fork/forks-command.ts')).forksCommand),
    restore: async () => asModule((await import('./archive/restore-command.ts')).restoreCommand),
  },
  Maintain: {
    serve: async () => asModule((await import('./serve/serve-command.ts')).serveCommand),
    service: async () => asModule((await import('./service/service-command.ts')).serviceCommand),
    logins: async () => asModule((await import('./serve/logins-command.ts')).loginsCommand),
    logout: async () => asModule((await import('./serve/logout-command.ts')).logoutCommand),
    index: async () => asModule((await import('./index/index-command.ts')).indexCommand),
    status: async () => asModule((await import('./worker/status-command.ts')).statusCommand),
    doctor: async () => asModule((await import('./setup/doctor-command.ts')).doctorCommand),
    tag: async () => asModule((await import('./read/tag-command.ts')).tagCommand),
    note: async () => asModule((await import('./read/note-command.ts')).noteCommand),
    star: async () => asModule((await import('./read/star-command.ts')).starCommand),
    forget: async () => asModule((await import('./privacy/forget-command.ts')).forgetCommand),
    scan: async () => asModule((await import('./privacy/scan-command.ts')).scanCommand),
    config: async () => asModule((await import('./setup/config-command.ts')).configCommand),
    model: async () => asModule((await import('./index/model-command.ts')).modelCommand),
    reindex: async () => asModule((await import('./index/reindex-command.ts')).reindexCommand),
    uninstall: async () => asModule((await import('./setup/uninstall-command.ts')).uninstallCommand),
  },
  'Several machines': {
    migrate: async () => asModule((await import('./share/migrate-command.ts')).migrateCommand),
    import: async () => asModule((await import('./bundle/import-command.ts')).importCommand),
    key: async () => asModule((await import('./privacy/key-command.ts')).keyCommand),
  },
  Plumbing: {
    completion: async () => asModule((await import('./complete/completion-command.ts')).completionCommand),
    mcp: async () => asModule((await import('./mcp/mcp-command.ts')).mcpCommand),
    worker: async () => asModule((await import('./worker/worker-command.ts')).workerCommand),
  },
} as const satisfies Record<string, Record<string, Load>>;

type Groups = typeof COMMAND_GROUPS;
export type CommandName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

const ALIASES: Record<string, CommandName> = { s: 'search', ls: 'sessions' };

const COMMANDS: Record<CommandName, Load> = Object.assign({}, ...Object.values(COMMAND_GROUPS));

/** A command's name, from the name or its alias; null if there is no such command. */
export function commandNamed(word: string): CommandName | null {
  if (Object.hasOwn(ALIASES, word)) return ALIASES[word] ?? null;
  return isCommand(word) ? word : null;
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

export function loadCommand(name: CommandName): Promise<CommandModule> {
  return COMMANDS[name]();
}

/** Erases the type of a command's arguments, because yargs takes a list of a single type. */
export function asModule<T>(module: {
  command: string;
  describe: string;
  builder: (yargs: Argv) => Argv<T>;
  handler: (args: never) => Promise<void>;
}): CommandModule {
  return module as unknown as CommandModule;
}
