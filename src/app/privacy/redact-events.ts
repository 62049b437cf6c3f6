import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { Redactor } from '../../ports/redactor.ts';

/**
 * Redacts the texts of events, each on its own. Drops messages that end up empty. Folders are not redacted, because resuming a
 * session needs them.
 * @returns the events in order, and the rule of each redaction.
 */
export async function redactEvents(
  events: TranscriptEvent[],
  redactor: Redactor,
): Promise<{ events: TranscriptEvent[]; rules: string[] }> {
  const texts = events.map(textOf);
  const redactions = await redactor.redact(texts.filter((text) => text !== null).map((text) => ({ text })));
  const kept: TranscriptEvent[] = [];
  let next = 0;
  for (const [at, event] of events.entries()) {
    const text = texts[at] == null ? null : (redactions[next++]?.text ?? '');
    const isNothing = event.kind === 'message' && text?.trim() === '';
    if (!isNothing) kept.push(text === null || text === texts[at] ? event : withText(event, text));
  }
  return { events: kept, rules: redactions.flatMap(({ rules }) => rules) };
}

function textOf(event: TranscriptEvent): string | null {
  switch (event.kind) {
    case 'message':
    case 'title':
      return event.text;
    case 'file':
      return event.path;
    case 'commit':
      return event.commit.subject;
    case 'compaction':
      return event.summary;
    case 'context':
      return event.branch ?? null;
    case 'parent':
    case 'own':
      return null;
  }
}

function withText(event: TranscriptEvent, text: string): TranscriptEvent {
  switch (event.kind) {
    case 'message':
    case 'title':
      return { ...event, text };
    case 'file':
      return { ...event, path: text };
    case 'commit':
      return { ...event, commit: { ...event.commit, subject: text } };
    case 'compaction':
      return { ...event, summary: text };
    case 'context':
      return { ...event, branch: text };
    case 'parent':
    case 'own':
      return event;
  }
}
