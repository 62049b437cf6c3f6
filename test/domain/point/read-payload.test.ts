import { describe, expect, it } from 'vitest';
import { readSessionPayload } from '../../../src/domain/point/read-payload.ts';
import { identityOf, sessionPoint } from '../../../src/domain/point/session-points.ts';
import { emptyDraft } from '../../../src/domain/session/draft.ts';
import { TITLE_SOURCES } from '../../../src/domain/session/session.ts';

describe('a stored session', () => {
  it.each(TITLE_SOURCES)('is whole if its title is from: %s', (title_source) => {
    const session = {
      sessionId: 'one',
      agent: 'claude',
      machine: 'm',
      workingDirectory: '/w',
      remoteUrl: null,
    } as const;
    const { payload } = sessionPoint(identityOf(session, null), {
      draft: emptyDraft(),
      markers: [],
      tags: [],
      path: '/w/one.jsonl',
      bytes: 1,
      lines: 1,
      chunks: 0,
      intents: 0,
      parts: [],
    });
    const read = readSessionPayload({ ...payload, title_source }, false);
    expect(read.isWhole).toBe(true);
    expect(read.payload?.title_source).toBe(title_source);
  });
});
