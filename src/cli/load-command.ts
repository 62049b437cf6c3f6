import type { Argv, CommandModule } from 'yargs';
import { type CommandName, PURPOSES } from './commands.ts';
import { searchCommand } from './search/search-command.ts';

/** Each command is loaded when it runs, except the one that runs most. */
const LOADERS: Record<CommandName, () => Promise<CommandModule>> = {
  demo: async () => asModule((await import('./setup/demo-command.ts')).demoCommand),
  init: async () => asModule((await import('./setup/init-command.ts')).initCommand),
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
  recall: async () => asModule((await import('./memory/recall-command.ts')).recallCommand),
  topics: async () => asModule((await import('./memory/topics-command.ts')).topicsCommand),
  timeline: async () => asModule((await import('./memory/timeline-command.ts')).timelineCommand),
  open: async () => asModule((await import('./memory/open-command.ts')).openCommand),
  memory: async () => asModule((await import('./memory/memory-command.ts')).memoryCommand),
  fork: async () => asModule((await import('./fork/fork-command.ts')).forkCommand),
  chain: async () => asModule((await import('./fork/chain-command.ts')).chainCommand),
  restore: async () => asModule((await import('./archive/restore-command.ts')).restoreCommand),
  serve: async () => asModule((await import('./serve/serve-command.ts')).serveCommand),
  service: async () => asModule((await import('./service/service-command.ts')).serviceCommand),
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
  migrate: async () => asModule((await import('./share/migrate-command.ts')).migrateCommand),
  import: async () => asModule((await import('./bundle/import-command.ts')).importCommand),
  key: async () => asModule((await import('./privacy/key-command.ts')).keyCommand),
  completion: async () => asModule((await import('./complete/completion-command.ts')).completionCommand),
  mcp: async () => asModule((await import('./mcp/mcp-command.ts')).mcpCommand),
  worker: async () => asModule((await import('./worker/worker-command.ts')).workerCommand),
};

export async function loadCommand(name: CommandName): Promise<CommandModule> {
  return { ...(await LOADERS[name]()), describe: PURPOSES[name] };
}

/** Erases the type of a command's arguments, because yargs takes a list of a single type. */
export function asModule<T>(module: {
  command: string;
  builder: (yargs: Argv) => Argv<T>;
  handler: (args: never) => Promise<void>;
}): CommandModule {
  return module as unknown as CommandModule;
}
