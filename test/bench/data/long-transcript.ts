import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MB = 1024 * 1024;

/** Writes a transcript of this many MB, made from lines of real ones, as one long session. */
export function writeLongTranscript(path: string, sessionId: string, megabytes: number, home: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  const sources = transcripts(join(home, 'projects'));
  for (let round = 0; statSync(path).size < megabytes * MB; round += 1) {
    const source = sources[round % sources.length];
    if (source === undefined) return;
    const text = readFileSync(source, 'utf8');
    const own = text.replace(/"sessionId":"[^"]*"/g, `"sessionId":"${sessionId}"`).trimEnd();
    // Later rounds must not repeat message ids.
    const renamed = own.replace(/"((?:parentU|u)uid)":"([0-9a-f]{8})/g, `"$1":"${hex(round)}`);
    const room = megabytes * MB - statSync(path).size;
    const lines =
      renamed.length <= room ? renamed : renamed.slice(0, renamed.indexOf('\n', room) + 1).trimEnd();
    appendFileSync(path, `${lines}\n`);
  }
}

/** Appends and returns a short turn: a question, a tool call with its result, an answer. */
export function appendTurn(path: string, sessionId: string, number: number): string {
  const time = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, number, second)).toISOString();
  const common = {
    cwd: '/home/sam/code/app',
    sessionId,
    version: '2.1.0',
    gitBranch: 'main',
    isSidechain: false,
  };
  const line = (type: string, second: number, content: unknown, more = {}) =>
    JSON.stringify({
      ...common,
      type,
      message: { role: type, content, ...more },
      uuid: `${hex(number)}-0000-4000-8000-00000000000${second}`,
      timestamp: time(second),
    });
  const id = `toolu_${number}`;
  const turn = [
    line('user', 0, `Turn ${number}: why does the uploader retry a request that was answered with 409?`),
    line('assistant', 1, [
      {
        type: 'tool_use',
        id,
        name: 'Read',
        input: { file_path: `/home/sam/code/app/src/upload-${number}.ts` },
      },
    ]),
    line('user', 2, [{ type: 'tool_result', tool_use_id: id, content: 'const retry = true;\n'.repeat(150) }]),
    line('assistant', 3, [
      {
        type: 'text',
        text: `The retry in upload-${number}.ts takes every status above 400 for a fault of the network. `.repeat(
          6,
        ),
      },
    ]),
  ];
  const text = `${turn.join('\n')}\n`;
  appendFileSync(path, text);
  return text;
}

function transcripts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0');
}
