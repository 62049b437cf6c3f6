import { asRecord } from '../../jsonl/read-value.ts';
import { cleanUserText } from './clean-text.ts';
import { contentText, textsOf } from './content-text.ts';

/**
 * Whether a message is the program's. A fork may join the messages before an answer into one, and mark it as the first of them:
 * a prompt behind the notice of a command then stands in a message of the program.
 */
export function isMeta(line: Record<string, unknown>): boolean {
  if (line.isMeta !== true) return false;
  const content = asRecord(line.message)?.content;
  const texts = textsOf(content);
  return texts.length < 2 || !isOfProgram(texts[0] ?? '') || cleanUserText(promptText(content) ?? '') === '';
}

/**
 * The texts of a message without those that are the program's as a whole, of which a command would hide the prompt behind it, and
 * without the prompts that commands stand for.
 */
export function promptText(content: unknown): string | null {
  const texts = textsOf(content);
  if (texts.length < 2) return contentText(content);
  const own = texts.filter(
    (text, at) => !isOfProgram(text) && !texts[at - 1]?.startsWith('<command-message>'),
  );
  return own.join('\n');
}

function isOfProgram(text: string): boolean {
  return ELEMENT.test(text) && cleanUserText(text) === '';
}

const ELEMENT = /^\s*<(?:local-command-|command-|bash-|system-reminder|ide_|task-notification)/;
