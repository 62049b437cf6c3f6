import { relativePath, toolLine } from '../../domain/session/tool-line.ts';
import { inputText, type TranscriptStep, thinkingStep } from '../../domain/session/transcript-step.ts';
import type { RecordSink } from './record-sink.ts';
import { toolCallOf } from './tool-call.ts';

/** A sink that makes steps of what a record says. See TranscriptSource.readSteps. */
export function stepSink(cwd: string | null, emit: (step: TranscriptStep) => void): RecordSink {
  return {
    said({ role, text }) {
      if (role === 'assistant' && text.trim() !== '') emit({ kind: 'text', text: text.trim() });
    },
    thought(text) {
      for (const step of thinkingStep(text)) emit(step);
    },
    called({ id, tool, input }) {
      const { name, argument, isPath, edits, args } = toolCallOf(tool, input);
      const path = isPath ? relativePath(argument, cwd) : argument;
      emit({
        kind: 'call',
        id,
        name,
        summary: toolLine(name, path, isPath ? 'path' : 'text'),
        input: edits.length > 0 ? null : name === 'Bash' ? argument : inputText(args),
        edits: edits.map(({ before, after, path: edited }) => ({
          path: relativePath(edited, cwd),
          before,
          after,
        })),
      });
    },
    resulted: ({ id, output, failed, images }) => emit({ kind: 'result', id, output, failed, images }),
    compacted: (summary) => emit({ kind: 'compaction', summary }),
    noted: () => undefined,
  };
}
