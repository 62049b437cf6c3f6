import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeTerminal } from '../../../support/fake-streams.ts';
import { tempFolder } from '../../../support/files/temp-folder.ts';
import { transcriptPaths } from '../../corpus.ts';
import { rankHaystacks } from '../run-benchmark.ts';
import { readLoCoMo } from './read-locomo.ts';
import { readLongMemEval } from './read-longmemeval.ts';
import { writeHaystack } from './write-haystack.ts';

function fileOf(value: unknown): string {
  const path = join(tempFolder(), 'data.json');
  writeFileSync(path, JSON.stringify(value));
  return path;
}

/** In the shape of `longmemeval_s.json`. */
const LONGMEMEVAL = [
  {
    question_id: 'q1',
    question_type: 'single-session-user',
    question: 'Which instrument do I practise?',
    answer: 'the cello',
    question_date: '2023/05/30 (Tue) 23:40',
    haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 10:00', '2023/05/21 (Sun) 10:00'],
    haystack_session_ids: ['answer_1', 'filler_2', 'filler_2'],
    haystack_sessions: [
      [
        { role: 'user', content: 'I practise the cello, an instrument with four strings.', has_answer: true },
        { role: 'assistant', content: 'A fine instrument.' },
      ],
      [{ role: 'user', content: 'How long do I boil an egg?' }],
      [{ role: 'user', content: 'How long do I boil an egg?' }],
    ],
    answer_session_ids: ['answer_1'],
  },
  {
    question_id: 'q2_abs',
    question_type: 'multi-session',
    question: 'What did I never say?',
    answer: 7,
    question_date: '2023/05/30 (Tue) 23:40',
    haystack_dates: [],
    haystack_session_ids: [],
    haystack_sessions: [],
    answer_session_ids: [],
  },
];

/** In the shape of `locomo10.json`. */
const LOCOMO = [
  {
    sample_id: 'conv-1',
    conversation: {
      speaker_a: 'Ada',
      speaker_b: 'Ben',
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: [
        { speaker: 'Ada', dia_id: 'D1:1', text: 'I painted a lighthouse.' },
        { speaker: 'Ben', dia_id: 'D1:2', text: 'Lovely!', img_url: ['u'], blip_caption: 'a photo of a cat' },
      ],
      session_2_date_time: '12:09 am on 13 September, 2023',
      session_2: [{ speaker: 'Ben', dia_id: 'D2:1', text: 'I moved to Lisbon.' }],
      session_3_date_time: '9:00 am on 1 October, 2023',
    },
    qa: [
      { question: 'What did Ada paint?', answer: 'a lighthouse', evidence: ['D1:1; D:2:01'], category: 4 },
      { question: 'Where did Ben move?', adversarial_answer: 'x', evidence: ['D2:1'], category: 5 },
      { question: 'Who is missing?', answer: 1, evidence: ['D9:1'], category: 3 },
      { question: 'Who has no evidence?', answer: 1, evidence: [], category: 3 },
    ],
  },
];

describe('LongMemEval', () => {
  it('is read as a history for each question, without questions that have no answer', () => {
    const [haystack, ...others] = readLongMemEval(fileOf(LONGMEMEVAL));
    expect(others).toEqual([]);
    expect(haystack?.sessions.map(({ id, time }) => [id, time])).toEqual([
      ['answer_1', Date.parse('2023-05-20T02:21:00Z')],
      ['filler_2', Date.parse('2023-05-21T10:00:00Z')],
    ]);
    expect(haystack?.questions).toEqual([
      {
        id: 'q1',
        sets: ['LongMemEval', 'LongMemEval, single-session-user'],
        text: 'Which instrument do I practise?',
        sessions: ['answer_1'],
        time: Date.parse('2023-05-30T23:40:00Z'),
      },
    ]);
  });
});

describe('LoCoMo', () => {
  it('is read as conversations of sessions, with the questions whose evidence is in them', () => {
    const [haystack] = readLoCoMo(fileOf(LOCOMO));
    expect(haystack?.sessions.map(({ id, time }) => [id, time])).toEqual([
      ['conv-1/session_1', Date.parse('2023-05-08T13:56:00Z')],
      ['conv-1/session_2', Date.parse('2023-09-13T00:09:00Z')],
    ]);
    expect(haystack?.sessions[0]?.turns).toEqual([
      { role: 'user', text: 'Ada: I painted a lighthouse.' },
      { role: 'assistant', text: 'Ben: Lovely! [a photo of a cat]' },
    ]);
    expect(haystack?.questions.map(({ id, sets, sessions }) => [id, sets[1], sessions])).toEqual([
      ['conv-1/0', 'LoCoMo, single-hop', ['conv-1/session_1', 'conv-1/session_2']],
      ['conv-1/1', 'LoCoMo, adversarial', ['conv-1/session_2']],
    ]);
  });
});

it('writes transcripts whose names do not tell which session has the answer', () => {
  const home = tempFolder();
  for (const haystack of readLongMemEval(fileOf(LONGMEMEVAL))) writeHaystack(home, haystack);
  const paths = transcriptPaths({ name: '', agent: 'claude', home, queries: '' });
  expect(paths).toHaveLength(2);
  expect(paths.join()).not.toContain('answer');
});

it('ranks the sessions of each conversation by the names in its file', async () => {
  const haystacks = [...readLongMemEval(fileOf(LONGMEMEVAL)), ...readLoCoMo(fileOf(LOCOMO))];
  const options = { work: tempFolder(), model: null, terminal: fakeTerminal() };
  const { queries, rankings } = await rankHaystacks(haystacks, options);
  expect(queries.map(({ id, corpus, labels }) => [id, corpus, labels[0]?.session])).toEqual([
    ['q1', 'LongMemEval q1', 'answer_1'],
    ['conv-1/0', 'LoCoMo conv-1', 'conv-1/session_1'],
    ['conv-1/1', 'LoCoMo conv-1', 'conv-1/session_2'],
  ]);
  for (const { id, labels } of queries)
    for (const tool of ['smart-fork, keyword', 'plain BM25'])
      expect(rankings[tool]?.[id]?.[0]).toBe(labels[0]?.session);
});
