import { suggestSession } from '../../app/suggest/suggest-session.ts';
import { openSuggest } from '../../compose/suggest/open-suggest.ts';
import { loadConfig } from '../../config/config.ts';
import { suggestionContext, suggestionLine } from '../../domain/suggest/suggestion-text.ts';
import type { Suggest } from '../../hook/hook.ts';

/** How a session starts that has a past of its own. */
const CONTINUES = new Set(['resume', 'compact', 'fork']);
/** The longest wait for a lock of another process, in milliseconds. */
const LONGEST_WAIT = 50;

/**
 * Answers a hook at the start of a session or with a prompt: what Claude Code and Codex read as context for the model, and with
 * `memory.suggest` on, as a message to the user. Null if there is nothing to say, or the process has taken too long.
 */
export const suggest: Suggest = async (input, env) => {
  const { memory, home } = await loadConfig(env);
  const { sessionId, cwd, source } = input;
  const prompt = input.event === 'session-start' ? null : (input.prompt ?? '');
  if (memory.suggest === 'off' || sessionId === null || cwd === null) return null;
  const opened = openSuggest(home, LONGEST_WAIT);
  if (opened === null) return null;
  try {
    const continues = prompt === null && CONTINUES.has(source ?? '');
    // The time since this process began: the agent waited for all of it.
    const isLate = () => performance.now() > memory.suggestMs;
    const found = await suggestSession(
      { ...opened.deps, isLate },
      { sessionId, folder: cwd, prompt, continues },
    );
    if (found === null) return null;
    const now = opened.deps.now();
    return JSON.stringify({
      hookSpecificOutput: {
        hookEventName: prompt === null ? 'SessionStart' : 'UserPromptSubmit',
        additionalContext: suggestionContext(found, now),
      },
      ...(memory.suggest === 'on' && { systemMessage: suggestionLine(found, now) }),
    });
  } finally {
    opened.close();
  }
};
