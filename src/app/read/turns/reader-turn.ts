import type * as z from 'zod';
import type { turnWindow } from '../../../domain/json/conversation.ts';

export type TurnWindow = z.infer<typeof turnWindow>;
export type ReaderTurn = TurnWindow['turns'][number];
/** A step of a turn, as shown to readers. */
export type ReaderStep = ReaderTurn['steps'][number];
export type TextStep = Extract<ReaderStep, { kind: 'text' }>;
export type ToolStep = Extract<ReaderStep, { kind: 'tool' }>;
export type SubagentStep = Extract<ReaderStep, { kind: 'subagent' }>;
