import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createQwenSource } from '../../../src/adapters/qwen/source.ts';
import { addEvent, emptyDraft } from '../../../src/domain/session/draft.ts';
import { titleOfDraft } from '../../../src/domain/session/session-title.ts';
import type { TranscriptFile } from '../../../src/ports/transcript-source.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { ORIGIN, qwenSession, writeRows } from '../../support/transcripts/small-agents.ts';

describeTranscriptSource('Qwen Code', (home) => ({
  source: createQwenSource({ homes: [home] }),
  path: writeRows(join(home, 'projects/-home-dev-widgets/chats', `${ORIGIN}.jsonl`), qwenSession()),
  sessionId: ORIGIN,
  userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
  assistantTexts: ['I will add it.', 'Done.'],
  foreign: writeRows(join(home, 'other.jsonl'), [
    { type: 'user', sessionId: 'x', message: { content: 'hello' } },
  ]),
}));

it('takes a notification for nobody’s words', () => {
  const home = mkdtempSync(join(tmpdir(), 'smart-fork-qwen-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const said = (text: string, more: object = {}) => ({
    ...qwenSession()[0],
    type: 'user',
    message: { role: 'user', parts: [{ text }] },
    ...more,
  });
  const rows = [...qwenSession(), said('a task ended', { subtype: 'notification' }), said('and then?')];
  const path = writeRows(join(home, 'projects/-home-dev-widgets/chats', `${ORIGIN}.jsonl`), rows);
  const texts: string[] = [];
  createQwenSource({ homes: [home] }).read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => {
    if (event.kind === 'message' && event.role === 'user') texts.push(event.text);
  });
  expect(texts).toContain('and then?');
  expect(texts).not.toContain('a task ended');
});

it('recognizes, counts and cuts a transcript whose records are all on one line', () => {
  const home = mkdtempSync(join(tmpdir(), 'smart-fork-qwen-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = writeRows(join(home, 'projects/-home-dev-widgets/chats', `${ORIGIN}.jsonl`), qwenSession());
  const source = createQwenSource({ homes: [home] });
  const usageOf = () => {
    const requests: unknown[] = [];
    source.usage?.read(path, null, (request) => requests.push(request));
    return requests;
  };
  const [counted, size] = [usageOf(), source.facts?.contextSize(path)];
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('}\n{', '}{'));
  expect(source.inspect(path)).toMatchObject({ sessionId: ORIGIN, path });
  expect(source.head({ ...source.find()[0], path } as never).workingDirectory).toBe('/home/dev/widgets');
  expect([usageOf(), source.facts?.contextSize(path)]).toEqual([counted, size]);
  const sessionId = '5e551000-0000-4000-8000-0000000000bb';
  const request = { end: Number.POSITIVE_INFINITY, sessionId, workingDirectory: '/home/dev/widgets' };
  const copy = readFileSync(source.cut?.(path, { ...request, former: path }) ?? '', 'utf8');
  expect(copy.split('\n').filter((line) => line.includes(sessionId)).length).toBe(qwenSession().length);
  expect(copy).not.toContain(`"sessionId":"${ORIGIN}"`);
});

const CHAT = join('projects/-home-dev-widgets/chats', `${ORIGIN}.jsonl`);

it('finds a transcript with two records on its first line', () => {
  const home = mkdtempSync(join(tmpdir(), 'smart-fork-qwen-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = writeRows(join(home, CHAT), qwenSession());
  writeFileSync(path, readFileSync(path, 'utf8').replace('\n', ''));
  const source = createQwenSource({ homes: [home] });
  expect(source.inspect(path)).toMatchObject({ sessionId: ORIGIN });
  expect(source.head({ path } as TranscriptFile).workingDirectory).toBe('/home/dev/widgets');
});

it('is called by its last title: a name given before the user went back no longer holds', () => {
  const home = mkdtempSync(join(tmpdir(), 'smart-fork-qwen-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const named = (customTitle: string, titleSource: string) => ({
    ...qwenSession()[0],
    type: 'system',
    subtype: 'custom_title',
    systemPayload: { customTitle, titleSource },
  });
  const titleAfter = (...rows: object[]) => {
    const path = writeRows(join(home, CHAT), [...qwenSession(), ...rows]);
    const draft = emptyDraft();
    createQwenSource({ homes: [home] }).read(
      path,
      { from: 0, linesBefore: 0, inheritedBytes: 0 },
      (event) => {
        addEvent(draft, event);
      },
    );
    return titleOfDraft(draft);
  };
  const given = named('The harbor', 'manual');
  expect(titleAfter(given)).toEqual({ title: 'The harbor', title_source: 'custom' });
  expect(titleAfter(given, named('Turn the valve of the harbor', 'auto'))).toEqual({
    title: 'Turn the valve of the harbor',
    title_source: 'ai',
  });
});
