import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Haystack, HaystackSession } from './haystack.ts';

/** Reads `locomo10.json`: ten conversations of many sessions, each with questions. Questions without evidence are left out. */
export function readLoCoMo(path: string): Haystack[] {
  return z
    .array(Sample)
    .parse(JSON.parse(readFileSync(path, 'utf8')))
    .map(({ sample_id, conversation, qa }) => {
      const sessions = sessionsOf(sample_id, conversation);
      const known = new Set(sessions.map(({ id }) => id));
      return {
        name: `LoCoMo ${sample_id}`,
        sessions,
        questions: qa.flatMap(({ question, category, evidence }, index) => {
          const right = evidenceSessions(evidence)
            .map((session) => `${sample_id}/session_${session}`)
            .filter((id) => known.has(id));
          const id = `${sample_id}/${index}`;
          const sets = ['LoCoMo', `LoCoMo, ${KINDS[category - 1] ?? category}`];
          return right.length === 0 ? [] : [{ id, sets, text: question, sessions: right, time: null }];
        }),
      };
    });
}

const KINDS = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];

const Sample = z.object({
  sample_id: z.string(),
  /** `speaker_a`, `speaker_b`, and `session_1`, `session_1_date_time` and so on. */
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(
    z.object({ question: z.string(), category: z.number(), evidence: z.array(z.string()).default([]) }),
  ),
});

const Turns = z.array(
  z.object({ speaker: z.string(), text: z.string(), blip_caption: z.string().optional() }),
);

function sessionsOf(sample: string, conversation: Record<string, unknown>): HaystackSession[] {
  return Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .map((key) => ({
      id: `${sample}/${key}`,
      time: timeOf(conversation[`${key}_date_time`]),
      turns: Turns.parse(conversation[key]).map(({ speaker, text, blip_caption }) => ({
        role: speaker === conversation.speaker_a ? 'user' : 'assistant',
        text: `${speaker}: ${text}${blip_caption === undefined ? '' : ` [${blip_caption}]`}`,
      })),
    }));
}

/** The numbers of the sessions in `D8:6; D9:17`; some are written `D:11:26`. */
function evidenceSessions(evidence: string[]): number[] {
  const numbers = evidence.flatMap((text) =>
    [...text.matchAll(/D:?(\d+)/g)].map((match) => Number(match[1])),
  );
  return [...new Set(numbers)];
}

/** `1:56 pm on 8 May, 2023` */
function timeOf(value: unknown): number | null {
  const [, hour, minute, half, date] =
    /^(\d+):(\d+) ([ap])m on (.+)$/.exec(typeof value === 'string' ? value : '') ?? [];
  const day = Date.parse(`${date} UTC`);
  if (Number.isNaN(day)) return null;
  return day + (((Number(hour) % 12) + (half === 'p' ? 12 : 0)) * 60 + Number(minute)) * 60_000;
}
