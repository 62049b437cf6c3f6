import { sanitize } from '../text/sanitize.ts';

const ELEMENT = 'smart-fork-context';

/** How every context begins. */
export const CONTEXT_TITLE = '# Context from ';

/**
 * Marks text quoted from another session, so that searches do not find the quoting session by it. The quoted text cannot close the
 * element, not even once invisible characters are removed from it.
 */
export function markContext(sessionId: string, text: string): string {
  const quoted = sanitize(text).replace(/(<\/?smart-fork)-context/gi, '$1 context');
  return `<${ELEMENT} session="${sessionId.replace(/[^\w@.-]/g, '')}">\n${quoted.trimEnd()}\n</${ELEMENT}>\n`;
}

/** Asks an agent to read the context in a file, and then to follow the query or, if null, to wait. */
export function promptToRead(reference: string, query: string | null): string {
  return `${READ[0]}${reference}${READ[1]} ${query === null ? WAIT : `${WANT}${query}`}`;
}

/** A prompt without text added by smart-fork. */
export function withoutOwnOutput(text: string): string {
  if (!text.includes('smart-fork') && !text.includes(READ[0])) return text;
  return text.replace(CONTEXT, '').replace(PROMPT, '').trim();
}

/** Whether a prompt is a call of smart-fork. */
export function isOwnCall(text: string): boolean {
  return CALL.test(text);
}

const READ = ['Read ', ': the record of an earlier session, as background.'] as const;
const WAIT = 'Then say in two sentences what it was about and wait for me.';
const WANT = 'What I want to do now: ';

/** The title is required, so that a prompt that merely mentions the element is left unchanged. */
const CONTEXT = new RegExp(
  `<${ELEMENT} session="[^"\\n]{0,200}">\\s*${CONTEXT_TITLE}[\\s\\S]*?(?:</${ELEMENT}>|$)`,
  'g',
);
const PROMPT = new RegExp(`^${READ[0]}[^\\n]{1,2000}${escaped(READ[1])} (?:${escaped(WAIT)}|${WANT})`);

/** Calls of our skills in Claude Code (`/`, with the plugin's name) and Codex (`$`), and of our program in their shells. */
const CALL =
  /^(?:[/$](?:smart-fork:[\w-]+|fork-detect|fork-session|smart-fork|session-stats|remember|memory-(?:stats|topics|backfill))(?![\w-])|! ?(?:npx (?:-\S+ )*)?smart-fork(?![\w-]))/;

function escaped(text: string): string {
  return text.replaceAll('.', '\\.');
}
