/**
 * The subject of the commit made by a tool call such as `Bash: git commit -qm "Turn the valve"`; empty if there is none. A message
 * in a here-document is one line at this point, so its first sentence is used.
 */
export function commitSubject(toolLine: string): string {
  const command = COMMIT.exec(toolLine);
  if (command === null) return '';
  const rest = toolLine.slice(command.index + command[0].length);
  const inHere = HERE.exec(rest);
  if (inHere !== null) return firstSentence(rest.slice(inHere[0].length), inHere[1] ?? '');
  const [, double, single] = QUOTED.exec(rest) ?? [];
  return (double?.replace(/\\(["\\`$])/g, '$1') ?? single ?? '').trim();
}

const COMMIT = /\bgit (?:-C \S+ )?commit\b[^|;&"']{0,300}? (?:-[a-z]*m|--message)[ =]?(?=["'])/;
const HERE = /^"\$\(cat <<-?\s*['"]?(\w+)['"]? /;
const QUOTED = /^(?:"((?:[^"\\]|\\.)*)(?:"|…$)|'([^']*)(?:'|…$))/;

function firstSentence(text: string, end: string): string {
  const [body = ''] = text.split(new RegExp(` ${end}\\b`), 1);
  const [line = ''] = body.split(/ (?=[-*] |Co-Authored-By:|🤖)|(?<=[.!?]) (?=\p{Lu})/u, 1);
  return line.trim();
}
