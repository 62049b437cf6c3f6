import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { writeRows } from '../files/write-atomically.ts';
import { digestParts, readParts } from '../jsonl/read-parts.ts';
import { aboutFile } from './about-file.ts';
import { cutLines } from './cut-lines.ts';
import { findFiles, inspectFile, locateFile } from './find-files.ts';
import type { LinesFormat } from './lines-format.ts';
import { endOfCopy, readRecordSteps, readRecords, rowsFrom } from './read-records.ts';
import { contextSizeOf, endingOf, usageIn } from './read-usage.ts';
import { placeOfCopy, restoringTo } from './restore-path.ts';
import { filesOf, subagentFile, subagentsIn, withSubagents } from './subagents.ts';

/** The transcripts of an agent with a file of records for each session. */
export function createLinesSource(format: LinesFormat, homes: string[]): TranscriptSource {
  const { agent, commands, copiedRow, createdRows } = format;
  const restorePath = restoringTo(format, homes);
  const roots = homes.flatMap((home) => format.folders(home));
  const whole = (file: TranscriptFile) => {
    const title = format.titleBeside?.(file.path);
    if (title) file.name = title.text;
    return format.subagents === undefined
      ? file
      : withSubagents(file, subagentsIn(agent, format.subagents(file.path, file.sessionId)));
  };
  return {
    agent,
    roots,
    find: (onProblem) => findFiles(format, roots, onProblem).map(whole),
    inspect(path) {
      const file = inspectFile(format, path);
      return file === null ? null : whole(file);
    },
    locate: (sessionId) => locateFile(format, roots, sessionId),
    head({ path }) {
      const about = aboutFile(format, path);
      return { fingerprint: about?.fingerprint ?? null, workingDirectory: about?.cwd ?? null };
    },
    read: (path, options, onEvent) => readRecords(format, path, options, onEvent),
    readSteps: (path, range, onStep) => readRecordSteps(format, path, range, onStep),
    findInheritance({ path }) {
      const parent = aboutFile(format, path)?.parent ?? null;
      return parent === null
        ? null
        : { parentId: parent.id, inheritedBytes: endOfCopy(format, path, parent.since) };
    },
    digest: digestParts,
    bytes: {
      parts: readParts,
      copyName: (sessionId) => format.copyName(sessionId),
      restorePath,
      subagentPath:
        format.subagents &&
        ((path, agentId) =>
          subagentFile(
            format.subagents?.(path, format.idIn(path) ?? '') ?? { folder: '', prefix: '' },
            agentId,
          )),
    },
    commands,
    cut:
      copiedRow &&
      restorePath &&
      ((path, request) => cutLines(format, path, placeOfCopy(restorePath, path, request), request)),
    create:
      createdRows &&
      restorePath &&
      ((request) =>
        writeRows(restorePath(request.sessionId, request.workingDirectory), createdRows(request))),
    usage:
      format.usageOf === undefined
        ? undefined
        : {
            files: filesOf,
            read(path, from, onRequest) {
              const { rows, end } = rowsFrom(path, from?.offset ?? 0);
              usageIn(format, rows, aboutFile(format, path)?.parent?.since ?? null, onRequest);
              return { offset: end, state: '' };
            },
          },
    facts: {
      contextSize: (path, before) => contextSizeOf(format, rowsFrom(path, 0, before).rows),
      ending: (path) => endingOf(format, rowsFrom(path, 0).rows),
    },
  };
}
