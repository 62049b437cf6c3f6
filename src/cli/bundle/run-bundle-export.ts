import { resolve } from 'node:path';
import {
  type BundleDependencies,
  type BundlePlan,
  exportBundle,
  planBundle,
} from '../../app/bundle/export-bundle.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { exportDependencies } from '../../compose/bundle/bundle.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { commandLine } from '../../domain/machine/shell.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { eachSession } from '../../ports/point-store.ts';
import type { CommandContext } from '../run-command.ts';
import { type FilterArguments, filterOf } from '../shared/filter-options.ts';
import { createProgress } from '../terminal/progress/progress.ts';
import { type SealingArguments, sealingKey } from './bundle-keys.ts';
import { renderBundlePlan, renderExported } from './render-bundle.ts';

interface BundleExportOptions extends FilterArguments, SealingArguments {
  bundle: string;
  ids: string[];
  dryRun?: boolean;
  json?: boolean;
}

/** Writes sessions into an encrypted file, after printing its planned contents. */
export async function runBundleExport(context: CommandContext, options: BundleExportOptions): Promise<void> {
  const { parts, terminal, signal } = context;
  const file = resolve(options.bundle);
  const deps = await exportDependencies(parts, file);
  const sessions = await chosenSessions(context, options, deps);
  deps.bundle.checkFree();
  const plan = await planBundle(deps, sessions);
  if (options.json !== true) terminal.out(renderBundlePlan(plan, file, terminal));
  const report = reportOf(file, plan);
  if (options.dryRun === true) {
    if (options.json === true) terminal.out(JSON.stringify(report));
    return;
  }
  const key = await sealingKey(context, options);
  const progress = createProgress({ verb: 'Exporting', terminal });
  const stored = await exportBundle(deps, plan, key, { signal, onProgress: progress.update }).finally(
    progress.done,
  );
  const done = { ...report, stored_bytes: stored, done: true };
  const command = commandLine(['smart-fork', 'import', file], null, parts.machine.shell);
  terminal.out(
    options.json === true ? JSON.stringify(done) : renderExported({ file, stored, command }, key, terminal),
  );
}

async function chosenSessions(
  { parts }: CommandContext,
  options: BundleExportOptions,
  { subject }: Pick<BundleDependencies, 'subject'>,
): Promise<SessionPayload[]> {
  const filter = await filterOf(options, parts);
  const store = await parts.local();
  if (options.ids.length > 0 && Object.keys(filter).length > 0)
    throw new SmartForkError('USAGE', 'ids cannot be combined with filters', {
      hint: 'Give either ids or filters.',
    });
  const privacy = await parts.privacy();
  const sessions = new Map<string, SessionPayload>();
  for (const id of options.ids) {
    const session = await findSession(store, id);
    sessions.set(session.session_id, session);
  }
  if (options.ids.length === 0)
    for await (const session of eachSession(store, filter)) sessions.set(session.session_id, session);
  // A new rule may not have been applied to the index yet.
  const allowed = [...sessions.values()].filter((session) => privacy.allows(subject(session)));
  if (allowed.length > 0) return allowed;
  throw new SmartForkError('SESSION_NOT_FOUND', 'no session to export', {
    hint: "smart-fork sessions lists this machine's sessions; smart-fork index adds new ones.",
  });
}

function reportOf(file: string, { sessions, transcripts, bytes, withoutTranscript }: BundlePlan) {
  const ids = sessions.map(({ session_id }) => session_id);
  return {
    file,
    sessions: ids,
    transcripts,
    bytes,
    without_transcript: withoutTranscript,
    stored_bytes: null,
    done: false,
  };
}
