import { ownCallOf, rememberedIn } from '../../domain/own/own-calls.ts';
import { isOwnCall, withoutOwnOutput } from '../../domain/own/own-output.ts';
import { errorLines, errorsOfPassed } from '../../domain/session/calls/error-lines.ts';
import { gitOutput } from '../../domain/session/calls/git-output.ts';
import { gitSteps } from '../../domain/session/calls/git-steps.ts';
import { findCommits, relativePath, toolLine } from '../../domain/session/tool-line.ts';
import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import { type DialogCalls, emitDialog } from './emit-dialogs.ts';
import type { RecordSink, Said } from './record-sink.ts';
import type { SessionAbout } from './row-format.ts';
import { type ToolCall, toolCallOf } from './tool-call.ts';

interface RecordPlace {
  /** The session's folder, for relative paths. */
  cwd: string | null;
  timestamp: string | null;
  inherited: boolean;
}

/** A sink that makes events of what a record says. See TranscriptSource.read. */
export function eventSink(
  place: RecordPlace,
  dialogs: DialogCalls,
  emit: (event: TranscriptEvent) => void,
): RecordSink {
  const { inherited } = place;
  return {
    said: (message) => emitSaid(message, place, emit),
    called({ id, tool, input }) {
      const call = toolCallOf(tool, input);
      dialogs.note(id, tool, input, call.edits);
      const idea = rememberedIn(tool, call.args);
      if (idea !== null) emit({ kind: 'remembered', idea, inherited });
      emitCall(id, call, place, emit);
    },
    resulted({ id, output, failed }) {
      for (const commit of failed ? [] : findCommits(output))
        emit({ kind: 'commit', commit, call: id, inherited });
      emitDialog(dialogs.find(id, output), { id, output, failed }, place, emit);
      const error = failed ? errorLines(output) : errorsOfPassed(output);
      emit({ kind: 'result', call: id, failed, error, ...gitOutput(output), inherited });
    },
    compacted(summary) {
      if (!inherited) emit({ kind: 'compaction', timestamp: place.timestamp, summary });
    },
    noted: (event) => emit(event.kind === 'title' ? { ...event, inherited: inherited || undefined } : event),
  };
}

/** What a session's first records say of it. */
export function emitAbout(about: SessionAbout | null, emit: (event: TranscriptEvent) => void): void {
  if (about === null) return;
  if (about.parent) emit({ kind: 'parent', sessionId: about.parent.id });
  const context: Extract<TranscriptEvent, { kind: 'context' }> = { kind: 'context' };
  if (about.cwd !== null) context.cwd = about.cwd;
  if (about.branch) context.branch = about.branch;
  if (about.version) context.version = about.version;
  emit(context);
  for (const cwd of about.folders ?? []) emit({ kind: 'context', cwd });
}

function emitSaid(
  { role, text, uuid, closes }: Said,
  { timestamp, inherited }: RecordPlace,
  emit: (event: TranscriptEvent) => void,
): void {
  const own = (role === 'user' ? withoutOwnOutput(text) : text).trim();
  if (own === '') return;
  if (role === 'user' && isOwnCall(own)) emit({ kind: 'own', by: 'user', answers: true });
  else if (closes === undefined) emit({ kind: 'message', role, text: own, timestamp, uuid, inherited });
  else emit({ kind: 'message', role, text: own, timestamp, uuid, inherited, closes });
}

function emitCall(
  id: string | null,
  { name, tool, argument, isPath, edits }: ToolCall,
  { cwd, timestamp, inherited }: RecordPlace,
  emit: (event: TranscriptEvent) => void,
): void {
  const own = ownCallOf(name, argument) ?? ownCallOf(tool, argument);
  if (own !== null) {
    emit({ kind: 'own', by: 'agent', ...own });
    return;
  }
  const text = toolLine(name, isPath ? relativePath(argument, cwd) : argument, isPath ? 'path' : 'text');
  const message = { kind: 'message', role: 'tool', text, timestamp, uuid: id, inherited } as const;
  emit(
    id === null
      ? message
      : { ...message, call: id, git: name === 'Bash' ? gitSteps(argument, true, cwd) : undefined },
  );
  for (const path of new Set(edits.map((edit) => relativePath(edit.path, cwd))))
    emit({ kind: 'file', path, inherited });
}
