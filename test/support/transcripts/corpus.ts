import { pick, seededRandom } from '../random.ts';
import { bashPair, type ClaudeLine, line, stampLines, toolPair, uuidOf } from './claude-transcripts.ts';

export interface MadeSession {
  id: string;
  lines: ClaudeLine[];
}

const WORDS =
  `parser token stream cache retry socket login session index query merge branch commit deploy worker queue schema
  migration database column render layout button router handler request response timeout backoff config loader bundle
  import export module class method field value string number error stack trace message`.split(/\s+/);

/** Generated sessions, the same in every run. */
export function makeCorpus(sessions: number, turns: number, seed = 1): MadeSession[] {
  const random = seededRandom(seed);
  const sentence = (length: number) => Array.from({ length }, () => pick(random, WORDS)).join(' ');
  return Array.from({ length: sessions }, (_, at) => {
    const id = uuidOf(`corpus-${seed}-${at}`);
    const lines = Array.from({ length: turns }, (_, turn) => [
      line.user(`${sentence(8)} number${at} turn${turn}`),
      ...toolPair(
        'Edit',
        { file_path: `/home/dev/widgets/src/${pick(random, WORDS)}.ts` },
        'ok',
        `toolu_${turn}e`,
      ),
      ...bashPair(`npm test ${pick(random, WORDS)}`, sentence(30), `toolu_${turn}b`),
      line.assistant(
        `${sentence(60)}.\n\n\`\`\`ts\nconst ${pick(random, WORDS)} = ${turn};\n\`\`\`\n\n${sentence(40)}.`,
      ),
    ]).flat();
    const start = new Date(Date.UTC(2026, 0, 1) + at * 3_600_000).toISOString();
    return { id, lines: stampLines(lines, { sessionId: id, start }) };
  });
}
