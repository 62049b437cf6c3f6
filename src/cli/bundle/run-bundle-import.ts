import { resolve } from 'node:path';
import { archiveSize } from '../../app/archive/archive-size.ts';
import { importBundle } from '../../app/bundle/import-bundle.ts';
import { importDependencies } from '../../compose/bundle/bundle.ts';
import { bytes } from '../../domain/text/time-text.ts';
import { type CommandContext, EXIT, type GlobalArguments } from '../run-command.ts';
import { createProgress } from '../terminal/progress/progress.ts';
import { type OpeningArguments, openingKey } from './bundle-keys.ts';
import { renderImported } from './render-bundle.ts';

interface ImportArguments extends GlobalArguments, OpeningArguments {
  file: string;
  dryRun?: boolean;
}

export async function runBundleImport(context: CommandContext, args: ImportArguments): Promise<void> {
  const { config, parts, terminal, signal } = context;
  const deps = await importDependencies(parts, resolve(args.file));
  const key = await openingKey(context, deps.bundle.kind(), args);
  const progress = createProgress({ verb: 'Importing', terminal });
  const options = { dryRun: args.dryRun === true, signal, onProgress: progress.update };
  const report = await importBundle(deps, key, options).finally(progress.done);
  if (report.different.length > 0) process.exitCode = EXIT.failed;
  terminal.out(args.json === true ? JSON.stringify(report) : renderImported(report, terminal));
  if (report.imported.length === 0 || !report.done) return;
  const { stored_bytes, max_bytes } = await archiveSize(parts.archive, config.archive);
  if (stored_bytes > max_bytes)
    terminal.err(
      `The archive has ${bytes(stored_bytes)}, more than archive.max_bytes allows: the oldest copies will be deleted. For more room: smart-fork config set archive.max_bytes BYTES`,
    );
}
