import { parseJson } from '../adapters/jsonl/read-value.ts';
import type { JobEvent } from '../domain/machine/job.ts';

type HookEventName = Exclude<JobEvent, 'changed'> | 'user-prompt-submit';

export interface HookInput {
  event: HookEventName;
  transcriptPath: string | null;
  sessionId: string | null;
  /** The agent's working folder. */
  cwd: string | null;
  /** The user's words. */
  prompt: string | null;
  /** How a session starts: `startup`, `resume`, `clear`, `compact`, `fork`. */
  source: string | null;
  /** Whether the text looks like a hook's input. */
  fromHook: boolean;
}

const EVENTS: Record<string, HookEventName> = {
  Stop: 'stop',
  SubagentStop: 'subagent-stop',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
  UserPromptSubmit: 'user-prompt-submit',
  stop: 'stop',
  'subagent-stop': 'subagent-stop',
  'session-start': 'session-start',
  'session-end': 'session-end',
  'user-prompt-submit': 'user-prompt-submit',
};

/** In UTF-16 units; longer than any path. */
const LONGEST_FIELD = 4096;
/** In UTF-16 units. The beginning of a prompt says what it is about. */
const LONGEST_PROMPT = 1024 * 1024;

/** Reads as much of a hook's input as possible; agents write names in one of two ways. Invalid input makes a job without a transcript, and the worker looks for changes. */
export function parseHookInput(text: string, event: string | undefined): HookInput {
  const field = readFields(text);
  const name = field('hook_event_name');
  const transcriptPath = field('transcript_path') ?? field('transcriptPath');
  const sessionId = field('session_id') ?? field('sessionId');
  return {
    event: EVENTS[event ?? ''] ?? EVENTS[name ?? ''] ?? 'stop',
    transcriptPath,
    sessionId,
    cwd: field('cwd'),
    prompt: field('prompt', LONGEST_PROMPT),
    source: field('source'),
    fromHook: name !== null || (transcriptPath !== null && sessionId !== null),
  };
}

function readFields(text: string): (key: string, longest?: number) => string | null {
  const whole = parseJson(text);
  const isObject = typeof whole === 'object' && whole !== null;
  return (key, longest = LONGEST_FIELD) => {
    const value: unknown = isObject
      ? Reflect.get(whole, key)
      : whole === undefined
        ? findField(text, key)
        : undefined;
    return typeof value === 'string' && value !== '' && value.length <= longest ? value : null;
  };
}

/** Finds a field in truncated input. It cannot match inside a string, where quotes are escaped. */
function findField(text: string, key: string): unknown {
  const found = new RegExp(`(?<!\\\\)"${key}"\\s*:\\s*("(?:[^"\\\\]|\\\\.){0,8192}")`).exec(text)?.[1];
  return found === undefined ? undefined : parseJson(found);
}
