/** The longest word that is not cut. */
const LONGEST_WORD = 200;

/** Truncates to `length` UTF-16 units, with `…` at the cut. Cuts between words: half a credential would not be recognized as a secret. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = length - 1;
  while (end > length - LONGEST_WORD && end > 0 && /\S/.test(text[end - 1] ?? '')) end -= 1;
  return `${text.slice(0, Math.max(0, end)).trimEnd().toWellFormed()}…`;
}
