import { sanitize } from '../text/sanitize.ts';

const ELEMENT = 'smart-fork-context';

/** How every context begins. */
export const CONTEXT_TITLE = '# Context from ';

/**
 * Marks text of one session that is put into another: that session must not be found for it. What is quoted cannot end the
 * mark, nor can it when characters that nobody sees are taken out of it later.
 */
export function markContext(sessionId: string, text: string): string {
  const quoted = sanitize(text).replace(/(<\/?smart-fork)-context/gi, '$1 context');
  return `<${ELEMENT} session="${sessionId.replace(/[^\w@.-]/g, '')}">\n${quoted.trimEnd()}\n</${ELEMENT}>\n`;
}

/** Asks an agent to read the context in a file, and tells it what the user wants; null: to wait. */
export function promptToRead(reference: string, query: string | null): string {
  return `${READ[0]}${reference}${READ[1]} ${query === null ? WAIT : `${WANT}${query}`}`;
}

/** What is the user's in a prompt: without what smart-fork has put into it, and nothing of a call of smart-fork. */
export function withoutOwnOutput(text: string): string {
  if (!text.includes('smart-fork') && !text.includes(READ[0]) && !/^[/$]/.test(text)) return text;
  const rest = text.replace(CONTEXT, '').replace(PROMPT, '').trim();
  return CALL.test(rest) ? '' : rest;
}

const READ = ['Read ', ': the record of an earlier session, as background.'] as const;
const WAIT = 'Then say in two sentences what it was about and wait for me.';
const WANT = 'What I want to do now: ';

/** With its title: who only speaks of the element means something by it. */
const CONTEXT = new RegExp(
  `<${ELEMENT} session="[^"\\n]{0,200}">\\s*${CONTEXT_TITLE}[\\s\\S]*?(?:</${ELEMENT}>|$)`,
  'g',
);
const PROMPT = new RegExp(`^${READ[0]}[^\\n]{1,2000}${escaped(READ[1])} (?:${escaped(WAIT)}|${WANT})`);

/** Our skills, as Claude Code (`/`, from a plugin with its name) and Codex (`$`) call them; our program in a shell of theirs. */
const CALL =
  /^(?:[/$](?:smart-fork:[\w-]+|fork-detect|fork-session|smart-fork|session-stats|remember)(?![\w-])|! ?(?:npx (?:-\S+ )*)?smart-fork(?![\w-]))/;

function escaped(text: string): string {
  return text.replaceAll('.', '\\.');
}
