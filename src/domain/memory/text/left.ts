/** Whether a line says that something is not done: it closes nothing, whatever words it repeats. */
export function saysLeft(line: string): boolean {
  return LEFT.test(line);
}

/** The lines of a text that may say what is done: without those that say what is left, and the lists below them. */
export function withoutLeft(text: string): string {
  let isList = false;
  const lines = text.split('\n').filter((line) => {
    if (saysLeft(line)) {
      isList = /[:：][*_ ]{0,4}$/.test(line);
      return false;
    }
    isList &&= line.trim() === '' || /^\s*(?:[-*•+|]|\d{1,3}[.)])/.test(line);
    return !isList;
  });
  return lines.join('\n');
}

const LEFT =
  /\b(?:still|remain(?:s|ing)?|not (?:yet|done|run|started)|yet to|outstanding|pending|to-?do|left to|blocked|deferred|skipped|needs? to|have to|has to|must|require[ds]?)\b/i;
