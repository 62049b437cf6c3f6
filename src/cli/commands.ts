import type { CommandModule } from 'yargs';
import { searchCommand } from './search/search-command.ts';

type Load = () => Promise<CommandModule>;

/** The commands in the groups and order of `--help`. Each is loaded when it runs, except the one that runs most. */
export const COMMAND_GROUPS = {
  Start: {
    demo: async () => (await import('./setup/demo-command.ts')).demoCommand,
    init: async () => (await import('./setup/init-command.ts')).initCommand,
  },
  Find: {
    search: async () => searchCommand,
    sessions: async () => (await import('./read/sessions-command.ts')).sessionsCommand,
    show: async () => (await import('./read/show-command.ts')).showCommand,
    retrieve: async () => (await import('./read/retrieve-command.ts')).retrieveCommand,
    compare: async () => (await import('./read/compare-command.ts')).compareCommand,
    lost: async () => (await import('./compaction/lost-command.ts')).lostCommand,
    export: async () => (await import('./export/export-command.ts')).exportCommand,
    which: async () => (await import('./trace/which-command.ts')).whichCommand,
    blame: async () => (await import('./trace/blame-command.ts')).blameCommand,
    usage: async () => (await import('./usage/usage-command.ts')).usageCommand,
    stats: async () => (await import('./search/stats-command.ts')).statsCommand,
  },
  Remember: {
    recall: async () => (await import('./memory/recall-command.ts')).recallCommand,
    topics: async () => (await import('./memory/topics-command.ts')).topicsCommand,
    timeline: async () => (await import('./memory/timeline-command.ts')).timelineCommand,
    open: async () => (await import('./memory/open-command.ts')).openCommand,
    memory: async () => (await import('./memory/memory-command.ts')).memoryCommand,
  },
  Fork: {
    fork: async () => (await import('./fork/fork-command.ts')).forkCommand,
    ask: async () => (await import('./fork/ask-command.ts')).askCommand,
    chain: async () => (await import('./fork/chain-command.ts')).chainCommand,
    forks: async () => (await import('./fork/forks-command.ts')).forksCommand,
    restore: async () => (await import('./archive/restore-command.ts')).restoreCommand,
  },
  Maintain: {
    serve: async () => (await import('./serve/serve-command.ts')).serveCommand,
    service: async () => (await import('./service/service-command.ts')).serviceCommand,
    logins: async () => (await import('./serve/logins-command.ts')).loginsCommand,
    logout: async () => (await import('./serve/logout-command.ts')).logoutCommand,
    index: async () => (await import('./index/index-command.ts')).indexCommand,
    status: async () => (await import('./worker/status-command.ts')).statusCommand,
    doctor: async () => (await import('./setup/doctor-command.ts')).doctorCommand,
    tag: async () => (await import('./read/tag-command.ts')).tagCommand,
    note: async () => (await import('./read/note-command.ts')).noteCommand,
    star: async () => (await import('./read/star-command.ts')).starCommand,
    forget: async () => (await import('./privacy/forget-command.ts')).forgetCommand,
    scan: async () => (await import('./privacy/scan-command.ts')).scanCommand,
    config: async () => (await import('./setup/config-command.ts')).configCommand,
    model: async () => (await import('./index/model-command.ts')).modelCommand,
    reindex: async () => (await import('./index/reindex-command.ts')).reindexCommand,
    uninstall: async () => (await import('./setup/uninstall-command.ts')).uninstallCommand,
  },
  'Several machines': {
    migrate: async () => (await import('./share/migrate-command.ts')).migrateCommand,
    import: async () => (await import('./bundle/import-command.ts')).importCommand,
    key: async () => (await import('./privacy/key-command.ts')).keyCommand,
  },
  Plumbing: {
    completion: async () => (await import('./complete/completion-command.ts')).completionCommand,
    mcp: async () => (await import('./mcp/mcp-command.ts')).mcpCommand,
    worker: async () => (await import('./worker/worker-command.ts')).workerCommand,
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
