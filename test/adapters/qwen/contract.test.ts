import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createQwenSource } from '../../../src/adapters/qwen/source.ts';
import { addEvent, emptyDraft } from '../../../src/domain/session/draft.ts';
import { titleOfDraft } from '../../../src/domain/session/session-title.ts';
import type { TranscriptFile } from '../../../src/ports/transcript-source.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
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

it('links a fork to its parent, and counts its own requests only', () => {
  const home = tempFolder('qwen');
  const id = '5e551000-0000-4000-8000-0000000000bb';
  const rows = qwenSession();
  const copied = rows.map((row) => {
    const forkedFrom = { sessionId: ORIGIN, messageUuid: (row as { uuid?: string }).uuid };
    return { ...row, sessionId: id, forkedFrom };
  });
  const own = {
    ...rows[0],
    sessionId: id,
    uuid: 'own',
    message: { role: 'user', parts: [{ text: 'Another way' }] },
  };
  const path = writeRows(join(home, 'projects/-home-dev-widgets/chats', `${id}.jsonl`), [...copied, own]);
  const source = createQwenSource({ homes: [home] });
  const [file] = source.find();
  const inheritedBytes = copied.reduce((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)) + 1, 0);
  expect(file && source.findInheritance(file, [])).toEqual({ parentId: ORIGIN, inheritedBytes });
  const counted: boolean[] = [];
  source.usage?.read(path, null, (request) => counted.push(request.copied));
  expect(new Set(counted)).toEqual(new Set([true]));
});

it('counts a subagent’s transcript to the session that started it', () => {
  const home = tempFolder('qwen');
  const project = join(home, 'projects/-home-dev-widgets');
  const path = writeRows(join(project, 'chats', `${ORIGIN}.jsonl`), qwenSession());
  const launch = {
    type: 'system',
    subtype: 'agent_launch_prompt',
    systemPayload: { displayText: 'Look around' },
  };
  const agent = writeRows(join(project, 'subagents', ORIGIN, 'agent-general-1.jsonl'), [
    { ...qwenSession()[0], message: undefined, ...launch },
    ...qwenSession(),
  ]);
  const source = createQwenSource({ homes: [home] });
  const found = source.find();
  expect(found.map((file) => file.path)).toEqual([path]);
  expect(found[0]?.subagents).toMatchObject([{ agentId: 'general-1', path: agent }]);
  expect(source.bytes?.subagentPath?.(path, 'general-1')).toBe(agent);
  expect(found[0] && source.usage?.files(found[0]).map((one) => one.path)).toEqual([path, agent]);
  const texts: string[] = [];
  source.read(agent, { from: 0, linesBefore: 0, inheritedBytes: 0, ofSubagent: true }, (event) => {
    if (event.kind === 'message' && event.role === 'user') texts.push(event.text);
  });
  expect(texts[0]).toBe('Look around');
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
  const named = (customTitle: string, titleSource?: string) => ({
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
  // Older versions wrote only names that were given.
  expect(titleAfter(named('The harbor'))).toEqual({ title: 'The harbor', title_source: 'custom' });
  expect(titleAfter(given, named('Turn the valve of the harbor', 'auto'))).toEqual({
    title: 'Turn the valve of the harbor',
    title_source: 'ai',
  });
});
