import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import {
  type CodexLine,
  CWD,
  codexInstructions,
  codexMeta,
  codexText,
  codexTurn,
  event,
  item,
  legacy,
  OWN_TURN,
  paginated,
  SESSION_ID,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'smart-fork-codex-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('leaves Codex’s instructions, environment and notices out of the user’s messages', () => {
  const notices = [
    '<environment_context>\n  <cwd>/x</cwd>\n</environment_context>',
    `# AGENTS.md instructions for ${CWD}\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>`,
    '<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>',
    '<skill>\n<name>worktree</name>\n---\nLong text\n</skill>',
    '<subagent_notification>\n{"status":"done"}\n</subagent_notification>',
    '<permissions instructions>\nAll commands are permitted.\n</permissions instructions>',
    '<user_instructions>\nBe nice.\n</user_instructions>\n\n<environment_context></environment_context>',
    '<codex_internal_context source="goal">\nGo on.\n</codex_internal_context>',
    '<rollout_budget>\n3 turns\n</rollout_budget>',
    '<environment_context> never closed',
  ];
  const lines = [...codexInstructions(), ...notices.flatMap((notice) => legacy.user(notice))];
  expect(messages(lines)).toEqual([]);
  expect(
    messages([...codexInstructions(), ...notices.flatMap((notice) => paginated.user(notice))], 0),
  ).toEqual([]);
});

it('keeps what the user wrote after text added by an editor', () => {
  const text =
    '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nFix the bug\n';
  expect(messages(legacy.user(text))).toEqual(['user: Fix the bug']);
  expect(messages(legacy.user('<environment_context></environment_context>\nFix it'))).toEqual([
    'user: Fix it',
  ]);
});

it('keeps only the task that another thread delegates', () => {
  const task = '  <source_thread_id>1</source_thread_id>\n  <input>Fix <b> it</input>\n';
  expect(messages(legacy.user(`<codex_delegation>\n${task}</codex_delegation>`))).toEqual([
    'user: Fix <b> it',
  ]);
});

it('keeps the user’s own tags in Codex messages', () => {
  expect(messages(legacy.user('<div> is not centred'))).toEqual(['user: <div> is not centred']);
  expect(messages(legacy.user('why is <skill> ignored?'))).toEqual(['user: why is <skill> ignored?']);
});

it('emits a Codex plan as an answer, in both modes', () => {
  const plan = paginated.item({ type: 'Plan', id: 'p1', text: '1. Do it\n2. Test it' });
  expect(messages([plan])).toEqual(['assistant: 1. Do it\n2. Test it']);
  expect(messages([plan], 0)).toEqual(['assistant: 1. Do it\n2. Test it']);
});

it('shows a plan inside an answer without its marks', () => {
  const text = 'Here it is:\n<proposed_plan>\n# Ducks\n</proposed_plan>\nAny changes?';
  expect(messages(legacy.assistant(text))).toEqual(['assistant: Here it is:\n# Ducks\nAny changes?']);
  expect(messages(legacy.assistant('I end with `<proposed_plan>`.'))).toHaveLength(1);
});

it('ignores Codex lines of unknown types', () => {
  const lines = [
    { type: 'world_state', payload: { full: true } },
    { type: 'telemetry', payload: {} },
    event('brand_new', { message: 'x' }),
    item('brand_new', {}),
  ];
  const { skipped } = read(lines);
  expect(messages(lines)).toEqual([]);
  expect(skipped).toEqual([]);
});

it('skips and counts Codex lines of unexpected shape', () => {
  const lines = [
    event('user_message', { message: 7 }),
    item('function_call', { arguments: '{}' }),
    { type: 'event_msg', payload: paginated.item({ type: 'UserMessage' }).payload },
  ];
  expect(read(lines).skipped).toEqual([
    { line: 2, reason: 'no such shape' },
    { line: 3, reason: 'no such shape' },
  ]);
  expect(read(lines, 0).skipped).toEqual([{ line: 4, reason: 'no such shape' }]);
});

it('counts a truncated line even if its type need not be parsed', () => {
  const text = codexText([codexMeta(SESSION_ID), event('token_count', { info: 'x'.repeat(50) })]);
  const { skipped } = readText(`${text.trimEnd().slice(0, -20)}\n`);
  expect(skipped).toEqual([{ line: 2, reason: 'not JSON' }]);
});

it('emits the branch, remote, version, folder and model of a Codex session', () => {
  const { events } = read(codexTurn(OWN_TURN));
  expect(events).toEqual([
    {
      kind: 'context',
      cwd: CWD,
      branch: 'main',
      remote: 'https://github.com/acme/widgets.git',
      version: '0.142.0',
      timestamp: '2026-07-01T09:00:00.000Z',
    },
    { kind: 'context', cwd: CWD, model: 'gpt-5.5', timestamp: '2026-07-01T09:00:02.000Z' },
  ]);
});

it('emits a Codex compaction once, with its summary', () => {
  const lines = [
    { type: 'compacted', payload: { message: 'So far: all good' } },
    event('context_compacted', {}),
  ];
  const compactions = read(lines).events.filter(({ kind }) => kind === 'compaction');
  expect(compactions).toEqual([
    { kind: 'compaction', timestamp: '2026-07-01T09:00:01.000Z', summary: 'So far: all good' },
  ]);
});

function messages(lines: CodexLine[], firstOrdinal?: number): string[] {
  return read(lines, firstOrdinal).events.flatMap((told) =>
    told.kind === 'message' ? [`${told.role}: ${told.text}`] : [],
  );
}

function read(lines: CodexLine[], firstOrdinal?: number) {
  return readText(codexText([codexMeta(SESSION_ID), ...lines], firstOrdinal));
}

function readText(text: string) {
  const path = writeCodex(home, SESSION_ID, text);
  const events: TranscriptEvent[] = [];
  const options = { from: 0, linesBefore: 0, inheritedBytes: 0 };
  return { events, ...createCodexSource({ homes: [home] }).read(path, options, (told) => events.push(told)) };
}
