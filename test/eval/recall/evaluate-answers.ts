import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { embedPending } from '../../../src/app/index/embed-pending.ts';
import { indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import { recall } from '../../../src/app/memory/recall/recall.ts';
import { searchSessions } from '../../../src/app/search/search-sessions.ts';
import { compose } from '../../../src/compose/parts.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { AGENT_ROWS, AGENTS } from '../../../src/domain/agent/agents.ts';
import type { RecallResponse } from '../../../src/domain/memory/memory-result.ts';

/** A question, its further phrasings, and the texts that its answer contains: each of them or, of a list of texts, one. */
type AskedFor = z.infer<typeof AskedFor>;

const AskedFor = z.looseObject({
  question: z.string(),
  also: z.array(z.string()).optional(),
  session: z.string(),
  answer: z.string(),
  answer_must_contain: z.array(z.union([z.string(), z.array(z.string())])),
});

export interface AnsweredQuestion {
  asked: AskedFor;
  response: RecallResponse;
  /** Rank of the first answer, and of the first session of recall and of search, that is right, from 1; 0 for none. */
  answer: number;
  session: number;
  searched: number;
}

/**
 * Asks the questions of a file, lines of {question, also?, session, answer, answer_must_contain}, about the sessions in a folder: by keyword, or
 * with the model in a folder.
 */
export async function answerQuestions(
  file: string,
  { corpora, work, model }: { corpora: string; work: string; model: string | undefined },
): Promise<AnsweredQuestion[]> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const questions = lines.map((line) => AskedFor.parse(JSON.parse(line)));
  const parts = await compose(
    await loadConfig({ ...environment(corpora, work), SMART_FORK_MODEL_DIR: model }),
  );
  try {
    const store = await parts.store();
    await indexTranscripts({ ...(await parts.indexing()), probe: () => null }, {});
    if (model !== undefined) await embedPending({ store, embedder: await parts.embedding.embedder() }, {});
    const deps = { ...parts, store };
    const answered: AnsweredQuestion[] = [];
    for (const asked of questions) {
      const { question: query, also } = asked;
      const response = await recall(deps, { query, also });
      const { results } = await searchSessions(deps, { query, also, limit: 10 });
      const place = (hits: boolean[]) => hits.indexOf(true) + 1;
      const isRight = (id: string) => id.startsWith(asked.session);
      answered.push({
        asked,
        response,
        answer: place(response.answers.map(({ text }) => contains(text, asked))),
        session: place(sessionsOf(response).map(isRight)),
        searched: place(results.map(({ session_id }) => isRight(session_id))),
      });
    }
    return answered;
  } finally {
    await parts.close();
  }
}

/** In the order in which they are shown. */
function sessionsOf({ answers, groups, others }: RecallResponse): string[] {
  const shown = [...answers, ...groups].map(({ session }) => session.session_id);
  return [...new Set([...shown, ...others.map(({ session_id }) => session_id)])];
}

/** Whether a text has all that an answer must contain, whatever its case and Markdown. */
export function contains(text: string, { answer_must_contain: wanted }: AskedFor): boolean {
  const said = folded(text);
  return wanted.every((one) => [one].flat().some((other) => said.includes(folded(other))));
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[`*"'’“”]/g, '')
    .replace(/\s+/g, ' ');
}

export function answersReport(answered: AnsweredQuestion[]): string {
  const share = (place: (one: AnsweredQuestion) => number, most: number) => {
    const hits = answered.filter((one) => place(one) >= 1 && place(one) <= most).length;
    return (hits / Math.max(1, answered.length)).toFixed(2);
  };
  return [
    `${answered.length} questions`,
    `answer: first ${share((one) => one.answer, 1)}, among the first three ${share((one) => one.answer, 3)}`,
    `session shown by recall: first ${share((one) => one.session, 1)}, among the first three ${share((one) => one.session, 3)}, at all ${share((one) => one.session, 20)}`,
    `session by search: first ${share((one) => one.searched, 1)}, among the first three ${share((one) => one.searched, 3)}`,
  ].join('\n');
}

/** Each question with what is expected and what was answered. */
export function answersInFull(answered: AnsweredQuestion[]): string {
  return answered
    .map(({ asked, response, answer }) =>
      [
        `## ${asked.question}`,
        '',
        `expected: ${asked.answer} (session ${asked.session}); found: ${answer === 0 ? 'no' : answer}`,
        '',
        ...response.answers.map(
          ({ session, turn, text }, at) =>
            `${at + 1}. “${text}” (${session.session_id.slice(0, 8)} ${session.title}, ${turn === null ? 'subagent' : `turn ${turn + 1}`})`,
        ),
        '',
      ].join('\n'),
    )
    .join('\n');
}

/** A folder for each agent in `corpora`; never the user's own. */
function environment(corpora: string, work: string): Record<string, string> {
  const nowhere = join(work, 'nowhere');
  const home = (agent: string) => (existsSync(join(corpora, agent)) ? join(corpora, agent) : nowhere);
  return {
    HOME: nowhere,
    USERPROFILE: nowhere,
    HF_HOME: nowhere,
    SMART_FORK_HOME: join(work, 'recall'),
    ...Object.fromEntries(AGENTS.map((agent) => [AGENT_ROWS[agent].home.variable ?? agent, home(agent)])),
  };
}
