import { describe, expect, it } from 'vitest';
import { addEvent, emptyDraft, outcomeOf } from '../../../src/domain/session/draft.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';

const COMMIT = 'Bash: rtk git add . && rtk git commit -m "Close the valve"';

function call(text: string, id: string, inherited = false): TranscriptEvent {
  return { kind: 'message', role: 'tool', text, call: id, timestamp: null, uuid: null, inherited };
}

function result(
  id: string,
  failed: boolean,
  inherited = false,
  error: string | null = null,
): TranscriptEvent {
  return { kind: 'result', call: id, failed, error, inherited };
}

function outcomeAfter(...events: TranscriptEvent[]) {
  const draft = emptyDraft();
  for (const event of events) addEvent(draft, event);
  // As stored between two reads.
  return outcomeOf(JSON.parse(JSON.stringify(draft)));
}

const EDIT: TranscriptEvent = { kind: 'file', path: 'valve.ts', inherited: false };

describe('the outcome of a session', () => {
  it('sets the outcome to committed after a successful git commit, even if a wrapper of git printed no report', () => {
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), result('a', false))).toBe('committed');
    const others = Array.from({ length: 20 }, (_, at) => call('Bash: ls', `ls${at}`));
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), ...others, result('a', false))).toBe('committed');
  });

  it('is edited if the wrapper passed, but printed that the commit failed', () => {
    const refused = result('a', false, false, 'FAILED: git commit');
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), refused)).toBe('edited');
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), refused, call(COMMIT, 'b'), result('b', false))).toBe(
      'committed',
    );
  });

  it('is edited if the commit failed, has no result, or was made by the parent of a fork', () => {
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), result('a', true))).toBe('edited');
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'))).toBe('edited');
    expect(outcomeAfter(EDIT, call(COMMIT, 'a', true), result('a', false, true))).toBe('edited');
    expect(outcomeAfter(EDIT, call('Bash: git log', 'a'), result('a', false))).toBe('edited');
  });
});
