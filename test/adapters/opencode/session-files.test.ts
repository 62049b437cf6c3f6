import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createOpencodeSource } from '../../../src/adapters/opencode/source.ts';
import { locateTranscript } from '../../../src/app/sessions/locate-session.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { machineHere } from '../../app/fork/machine.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  opencodeMessages,
  opencodeTurn,
  writeOpencode,
  writeOpencodeFiles,
  writeOpencodeProject,
} from '../../support/transcripts/opencode-database.ts';

const began = (minute: number) => Date.UTC(2026, 6, 1, 9, minute);
const origin = { id: 'ses_origin', title: 'A thing', created: began(0), messages: opencodeMessages('a') };

describeTranscriptSource(
  'OpenCode before 1.2',
  (home) => {
    const copied = [...opencodeMessages('b'), ...opencodeTurn('b')];
    const fork = { id: 'ses_fork', title: 'A thing (fork #1)', created: began(30), messages: copied };
    const pathOf = writeOpencodeFiles(join(home, 'opencode'), [origin, fork]);
    const foreign = join(home, 'other.json');
    writeFileSync(foreign, '{}');
    return {
      source: createOpencodeSource({ homes: [home] }),
      path: pathOf('ses_origin'),
      sessionId: 'ses_origin',
      userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
      assistantTexts: ['I will add it.', 'Done.'],
      fork: {
        path: pathOf('ses_fork'),
        userTexts: ['Another way'],
        assistantTexts: ['Going another way.'],
      },
      foreign,
    };
  },
  { inLines: false },
);

describeTranscriptSource(
  'OpenCode before 0.6',
  (home) => {
    const pathOf = writeOpencodeProject(join(home, 'opencode'), [origin]);
    const foreign = join(home, 'other.json');
    writeFileSync(foreign, '{}');
    return {
      source: createOpencodeSource({ homes: [home] }),
      path: pathOf('ses_origin'),
      sessionId: 'ses_origin',
      userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
      assistantTexts: ['I will add it.', 'Done.'],
      foreign,
    };
  },
  { inLines: false },
);

it('reads a session once that a later version took over', () => {
  const { folder, source } = world([origin]);
  writeOpencodeProject(folder, [origin, { ...origin, id: 'ses_older' }]);
  expect(source.find().map(({ path }) => path.includes('/project/'))).toEqual([false, true]);
});

function world(sessions: Parameters<typeof writeOpencodeFiles>[1]) {
  const home = tempFolder('opencode-files');
  const folder = join(home, 'opencode');
  const pathOf = writeOpencodeFiles(folder, sessions);
  return { folder, pathOf, source: createOpencodeSource({ homes: [home] }) };
}

const ALL = { from: 0, linesBefore: 0, inheritedBytes: 0 };

function read({ source, pathOf }: ReturnType<typeof world>, id: string) {
  const events: TranscriptEvent[] = [];
  const { skipped } = source.read(pathOf(id), ALL, (event) => events.push(event));
  const prompts = events.flatMap((event) =>
    event.kind === 'message' && event.role === 'user' ? event.text : [],
  );
  return { prompts, skipped };
}

it('leaves out what was reverted', () => {
  expect(read(world([{ ...origin, revert: 'a4' }]), 'ses_origin').prompts).toEqual(['Please add a thing']);
});

it('reads a session that the database has too from the database', () => {
  const { folder, source } = world([origin, { ...origin, id: 'ses_only' }]);
  writeOpencode(join(folder, 'opencode.db'), [origin]);
  expect(source.find().map(({ path, unopenable }) => [path.includes('.db#'), unopenable])).toEqual([
    [true, undefined],
    [false, true],
  ]);
});

it('counts a subagent’s session to the session that started it', () => {
  const child = { id: 'ses_sub', title: 'x', parent: 'ses_origin', created: began(3) };
  const { source } = world([origin, { ...child, messages: opencodeTurn('s') }]);
  expect(
    source.find().map(({ sessionId, subagents }) => [sessionId, subagents?.map(({ agentId }) => agentId)]),
  ).toEqual([['ses_origin', ['ses_sub']]]);
});

it('sees a new message, and one that was completed', () => {
  const { folder, source } = world([origin]);
  const revision = () => source.find()[0]?.revision;
  const before = revision();
  const time = new Date(began(50));
  utimesSync(join(folder, 'storage/message/ses_origin/a5.json'), time, time);
  const after = revision();
  expect(after).not.toBe(before);
  writeOpencodeFiles(folder, [{ ...origin, messages: [...origin.messages, ...opencodeTurn('a')] }]);
  expect(revision()).not.toBe(after);
});

it('reads the other sessions and parts when one is damaged', () => {
  const there = world([origin, { ...origin, id: 'ses_torn', messages: opencodeMessages('t') }]);
  writeFileSync(there.pathOf('ses_torn'), '{"id":');
  writeFileSync(join(there.folder, 'storage/part/a1/a1-p0.json'), '{"type":');
  const problems: string[] = [];
  expect(there.source.find((path) => problems.push(path)).map(({ sessionId }) => sessionId)).toEqual([
    'ses_origin',
  ]);
  expect(problems).toEqual([there.pathOf('ses_torn')]);
  expect(read(there, 'ses_origin').skipped).toEqual([{ line: 1, reason: 'not JSON' }]);
  rmSync(join(there.folder, 'storage/message'), { recursive: true });
  expect(read(there, 'ses_origin').prompts).toEqual([]);
});

it('continues such a session as a copy that OpenCode imports', () => {
  const { source } = world([origin]);
  const [file] = source.find();
  if (file === undefined) throw new Error('nothing found');
  expect(locateTranscript({ machine: machineHere() }, source, file, null)).toMatchObject({
    canFork: true,
    command: 'smart-fork fork ses_origin --exec',
    resume: null,
  });
});
