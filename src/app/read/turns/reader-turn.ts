import type { FileEdit, StepImage } from '../../../domain/session/transcript-step.ts';
import type { Turn } from '../../sessions/conversation/turn.ts';

/** A step of a turn, as shown to readers. */
export type ReaderStep = TextStep | ThinkingStep | ToolStep | CompactionStep | SubagentStep;

export interface TextStep {
  kind: 'text';
  text: string;
}

interface ThinkingStep {
  kind: 'thinking';
  text: string;
}

export interface ToolStep {
  kind: 'tool';
  name: string;
  /** The call's line in the conversation. */
  summary: string;
  input?: string;
  output?: string;
  edits?: FileEdit[];
  failed?: true;
  images?: StepImage[];
  /** Number of UTF-16 units left out of the input, the output or the edits. */
  cut?: number;
}

interface CompactionStep {
  kind: 'compaction';
  summary: string | null;
}

export interface SubagentStep {
  kind: 'subagent';
  id: string;
  title: string;
  turn_count: number;
}

export interface ReaderTurn extends Omit<Turn, 'subagents'> {
  steps: ReaderStep[];
}
