import { errorText } from '../../domain/errors.ts';
import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { Progress } from '../../domain/summary.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { OnProblem, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { redactEvents } from './redact-events.ts';

interface ScanDependencies {
  sources: TranscriptSource[];
  redactor: Redactor;
}

interface ScanRequest {
  /** Defaults to all transcripts. */
  files?: TranscriptFile[];
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Counts of findings per rule, never the secrets themselves. */
export interface ScanReport {
  /** Number of transcripts read. */
  scanned: number;
  rules: Record<string, number>;
  /** Sessions with findings, most findings first. */
  sessions: { session_id: string; path: string; total: number; rules: Record<string, number> }[];
  failed: { path: string; reason: string }[];
  interrupted: boolean;
}

/** Counts the secrets in transcripts. Writes nothing. */
export async function scanSecrets(deps: ScanDependencies, request: ScanRequest): Promise<ScanReport> {
  const report: ScanReport = { scanned: 0, rules: {}, sessions: [], failed: [], interrupted: false };
  const onProblem: OnProblem = (path, reason, kind) => {
    if (kind === undefined) report.failed.push({ path, reason });
  };
  const files = request.files ?? deps.sources.flatMap((source) => source.find(onProblem));
  for (const [done, file] of files.entries()) {
    if (request.signal?.aborted) break;
    request.onProgress?.({ unit: 'session', done, total: files.length, label: file.sessionId });
    try {
      const found = await rulesIn(deps, file);
      report.scanned += 1;
      if (found.length > 0) addSession(report, file, found);
    } catch (error) {
      onProblem(file.path, errorText(error));
    }
  }
  report.interrupted = request.signal?.aborted === true;
  report.sessions.sort((a, b) => b.total - a.total || (a.session_id < b.session_id ? -1 : 1));
  request.onProgress?.({ unit: 'session', done: files.length, total: files.length });
  return report;
}

async function rulesIn({ sources, redactor }: ScanDependencies, file: TranscriptFile): Promise<string[]> {
  const source = sources.find(({ agent }) => agent === file.agent);
  const events: TranscriptEvent[] = [];
  source?.read(file.path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => events.push(event));
  return (await redactEvents(events, redactor)).rules;
}

function addSession(report: ScanReport, file: TranscriptFile, found: string[]): void {
  const rules: Record<string, number> = {};
  for (const rule of found.toSorted()) {
    rules[rule] = (rules[rule] ?? 0) + 1;
    report.rules[rule] = (report.rules[rule] ?? 0) + 1;
  }
  report.sessions.push({ session_id: file.sessionId, path: file.path, total: found.length, rules });
}
