import { suggestSession } from '../../app/suggest/suggest-session.ts';
import { openSuggest } from '../../compose/suggest/open-suggest.ts';
import { loadConfig } from '../../config/config.ts';
import { suggestionContext, suggestionLine } from '../../domain/suggest/suggestion-text.ts';
import type { Suggest } from '../../hook/hook.ts';

/** Sources of sessions that have a past of their own. */
const CONTINUES = new Set(['resume', 'compact', 'fork']);
/** Longest wait for another process's lock, in milliseconds. */
const LONGEST_WAIT = 50;

/**
 * Answers a hook at the start of a session or with a prompt: context for the model, in the format of Claude Code and Codex, and with
 * `memory.suggest` on also a message to the user. Null if there is nothing to say, or if the process has taken too long.
 */
export const suggest: Suggest = async (input, env) => {
  const { memory, home, search } = await loadConfig(env);
  const { sessionId, cwd, source } = input;
  const prompt = input.event === 'session-start' ? null : (input.prompt ?? '');
  if (memory.suggest === 'off' || sessionId === null || cwd === null) return null;
  const opened = openSuggest(home, LONGEST_WAIT);
  if (opened === null) return null;
  try {
    const continues = prompt === null && CONTINUES.has(source ?? '');
    // Counted from the start of this process, because the agent has been waiting since then.
    const isLate = () => performance.now() > memory.suggestMs;
    const found = await suggestSession(
      { ...opened.deps, isLate },
      { sessionId, folder: cwd, prompt, continues, scope: search.scope },
    );
    if (found === null) return null;
    const now = opened.deps.now();
    return JSON.stringify({
      hookSpecificOutput: {
        hookEventName: prompt === null ? 'SessionStart' : 'UserPromptSubmit',
        additionalContext: suggestionContext(found, now),
      },
      systemMessage: memory.suggest === 'on' ? suggestionLine(found, now) : undefined,
    });
  } finally {
    opened.close();
  }
};
