import type { GitStep } from '../../domain/session/calls/git-steps.ts';
import type { AskedQuestion, TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { Redactor } from '../../ports/redactor.ts';

/**
 * Redacts the texts of events, each on its own. Drops messages that become empty. Folders are not redacted, because resuming a
 * session needs them.
 * @returns the events in order, and the rule of each redaction.
 */
export async function redactEvents<E extends TranscriptEvent>(
  events: E[],
  redactor: Redactor,
): Promise<{ events: E[]; rules: string[] }> {
  const redactions = await redactor.redact(events.flatMap(textsOf).map((text) => ({ text })));
  const kept: E[] = [];
  let next = 0;
  for (const event of events) {
    const texts = textsOf(event);
    const redacted = texts.map(() => redactions[next++]?.text ?? '');
    const isNothing = event.kind === 'message' && redacted[0]?.trim() === '';
    const isSame = redacted.every((text, at) => text === texts[at]);
    if (!isNothing) kept.push(isSame ? event : withTexts(event, redacted));
  }
  return { events: kept, rules: redactions.flatMap(({ rules }) => rules) };
}

function textsOf(event: TranscriptEvent): string[] {
  const texts: string[] = [];
  mapTexts(event, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** Replaces an event's texts and leaves everything else unchanged. */
function withTexts<E extends TranscriptEvent>(event: E, texts: string[]): E {
  let next = 0;
  return { ...event, ...mapTexts(event, () => texts[next++] ?? '') };
}

type Change = (text: string) => string;

/** Applies a change to each text of an event, always in the same order. */
function mapTexts(event: TranscriptEvent, change: Change): TranscriptEvent {
  switch (event.kind) {
    case 'message':
      return { ...event, text: change(event.text), git: event.git?.map((step) => mapStep(step, change)) };
    case 'title':
    case 'plan':
      return { ...event, text: change(event.text) };
    case 'file':
      return { ...event, path: change(event.path) };
    case 'commit':
      return { ...event, commit: { ...event.commit, subject: change(event.commit.subject) } };
    case 'compaction':
      return event.summary === null ? event : { ...event, summary: change(event.summary) };
    case 'context':
      return event.branch === undefined ? event : { ...event, branch: change(event.branch) };
    case 'asked':
      return { ...event, questions: event.questions.map((asked) => mapQuestion(asked, change)) };
    case 'answered':
      return {
        ...event,
        answers: event.answers.map(({ key, answer }) => ({ key: change(key), answer: change(answer) })),
      };
    case 'todos':
      return { ...event, items: event.items.map((item) => mapNullable(item, 'text', change)) };
    case 'result':
      return mapNullable(
        {
          ...event,
          branches: event.branches?.map(change),
          listed: event.listed?.map((commit) => mapNullable(commit, 'subject', change)),
        },
        'error',
        change,
      );
    case 'pull request':
      return mapNullable({ ...event, url: change(event.url) }, 'title', change);
    case 'remembered': {
      const { kind, content, entities } = event.idea;
      return { ...event, idea: { kind, content: change(content), entities: entities.map(change) } };
    }
    case 'parent':
    case 'continued':
    case 'own':
    case 'process':
    case 'rewound':
      return event;
  }
}

function mapStep(step: GitStep, change: Change): GitStep {
  if ('subject' in step) return { ...step, subject: change(step.subject) };
  return step.does === 'switch' ? { ...step, branch: change(step.branch) } : step;
}

/** Changes the key too, which may be the question itself. */
function mapQuestion({ key, question, options }: AskedQuestion, change: Change): AskedQuestion {
  return { key: change(key), question: change(question), options: options.map(change) };
}

function mapNullable<K extends string, T extends Record<K, string | null>>(
  record: T,
  key: K,
  change: Change,
): T {
  const text = record[key];
  return text === null ? record : { ...record, [key]: change(text) };
}
