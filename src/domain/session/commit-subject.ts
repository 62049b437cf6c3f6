/**
 * The subjects of the commits made by a command such as `git commit -qm "Turn the valve"`, in order. Some agents write a command on
 * one line: of a message in its here-document, the first sentence is used.
 */
export function commitSubjects(script: string): string[] {
  return [...script.matchAll(COMMIT)].map((command) => subjectAfter(script, command));
}

function subjectAfter(script: string, command: RegExpExecArray): string {
  const rest = script.slice(command.index + command[0].length);
  const inHere = HERE.exec(rest);
  if (inHere !== null) return firstSentence(rest.slice(inHere[0].length), inHere[1] ?? '');
  const [, double, single] = QUOTED.exec(rest) ?? [];
  // The shell fills in the rest.
  if (double !== undefined && /(?<!\\)[$`]/.test(firstLine(double))) return '';
  return firstLine(double?.replace(/\\(["\\`$])/g, '$1') ?? single ?? '');
}

const COMMIT =
  /\bgit (?:-[Cc] \S{1,300} ){0,4}commit\b[^|;&"']{0,300}? (?:(?:-[a-z]*m|--message)[ =]?(?=["'])|(?:-[a-z]*F|--file)[ =]?-\s{1,3}(?=<<))/g;
const HERE = /^(?:"\$\(cat )?<<-?\s*['"]?(\w+)['"]?\s/;
const QUOTED = /^(?:"((?:[^"\\]|\\.)*)(?:"|…$)|'([^']*)(?:'|…$))/;

function firstSentence(text: string, end: string): string {
  if (text.includes('\n')) return firstLine(text);
  const [body = ''] = text.split(new RegExp(` ${end}\\b`), 1);
  const [line = ''] = body.split(/ (?=[-*] |Co-Authored-By:|🤖)|(?<=[.!?]) (?=\p{Lu})/u, 1);
  return (line.length > LONGEST_SUBJECT ? withoutBody(line) : line).trim();
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.trim() ?? '';
}

const LONGEST_SUBJECT = 72;

/** The part before what looks like the start of the message's next sentence. */
function withoutBody(line: string): string {
  const body = BODY.exec(line.slice(SHORTEST_SUBJECT));
  return body === null ? line : line.slice(0, SHORTEST_SUBJECT + body.index);
}

const SHORTEST_SUBJECT = 20;
const BODY =
  /(?<=[\p{Ll}\d)"'`])(?<!\b(?:an?|and|as|at|by|for|from|in|into|of|on|or|the|to|with)) (?=(?:When|If|The|This|These|Previously|Now|Also|For|All|Only)\b|\p{Lu}[\p{Ll}-]+,? [\p{Ll}\p{N}`"'(])/u;
