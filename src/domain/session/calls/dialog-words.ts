/** What the results of dialogs say, in the words that agents share. */

interface Pair {
  question: string;
  answer: string;
  notes: string | null;
}

/** `"question"="answer"`, separated by commas. Answers, the notes after them, and known questions may contain quotation marks. */
export function pairsIn(text: string, known: string[]): Pair[] {
  const end = text.lastIndexOf('. You can now');
  const told = (end < 0 ? text : text.slice(0, end)).replaceAll(`"=${NONE} `, `"="${NONE}" `);
  const parts = told.split('"="');
  const questions = parts
    .slice(0, -1)
    .map((part) => known.find((one) => part.endsWith(`"${one}`)) ?? part.slice(part.lastIndexOf('"') + 1));
  return parts.slice(1).flatMap((part, at) => {
    const question = questions[at] ?? '';
    const next = questions[at + 1];
    const body = next === undefined ? part : part.slice(0, -`, "${next}`.length);
    const added = ADDED.exec(body);
    if (added === null && !body.endsWith('"')) return [];
    const rest = added === null ? '' : body.slice(added.index + added[0].length);
    const notes = added?.[1] === undefined ? afterPreview(rest) : (rest.split('\n', 1)[0] ?? '');
    return [{ question, answer: body.slice(0, added?.index ?? -1), notes }];
  });
}

/** What follows an answer: notes (1) or the preview of an option. */
const ADDED = /" (?:(?:user )?(notes): |selected preview:)/;

/** Notes follow the preview of an option. */
function afterPreview(text: string): string | null {
  const at = text.lastIndexOf(NOTES);
  return at < 0 ? null : text.slice(at + NOTES.length);
}

const NOTES = ' notes: ';
const NONE = '(no option selected)';

/** An answer without the options that were chosen; several are separated by commas. */
export function withoutLabels(answer: string, labels: string[]): string {
  let rest = answer.trim();
  if (NO_ANSWER.has(rest)) return '';
  for (let label: string | undefined = ''; label !== undefined; ) {
    label = labels.find((one) => one !== '' && (rest === one || rest.startsWith(`${one}, `)));
    if (label !== undefined) rest = rest.slice(label.length).replace(/^, /, '');
  }
  return rest;
}

const NO_ANSWER = new Set([
  '(notes only)',
  NONE,
  '(No answer provided)',
  'Other',
  // OpenCode
  'Unanswered',
]);

/** The question is quoted: an answer means little without it. */
export function inReplyTo(question: string, answer: string): string {
  const asked = question.replace(/\s+/g, ' ').trim();
  return answer === '' || asked === '' ? answer : `> ${asked}\n\n${answer}`;
}
