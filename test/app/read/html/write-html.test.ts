import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { writeHtml } from '../../../../src/app/read/html/write-html.ts';
import { createTurnCache } from '../../../../src/app/read/turns/open-turns.ts';
import { findSession } from '../../../../src/app/sessions/find-session.ts';
import { createWorld, indexWorld, openWorld } from '../../../support/machines/world.ts';
import {
  jsonl,
  line,
  SESSION_ID,
  stampLines,
  writeClaude,
} from '../../../support/transcripts/claude-transcripts.ts';

it('says what of a subagent is left out', async () => {
  const world = createWorld();
  const main = [line.user('Count the widgets'), line.assistant('A subagent counts them.')];
  const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(main));
  const file = join(dirname(path), SESSION_ID, 'subagents', 'agent-abc123.jsonl');
  mkdirSync(dirname(file), { recursive: true });
  const turns = Array.from({ length: 102 }, (_, at) => [
    line.user(`Box ${at}`),
    line.assistant(`${at} widgets`),
  ]);
  writeFileSync(file, jsonl(stampLines(turns.flat())));
  const parts = await openWorld(world);
  await indexWorld(parts);
  const store = await parts.store();
  const session = await findSession(store, SESSION_ID);
  const write = async () => {
    const deps = { ...parts, store, cache: createTurnCache() };
    return (await writeHtml(deps, session, { thinking: false, proseHtml: (text) => text })).html;
  };
  const whole = await write();
  expect(whole).toContain('99 widgets');
  expect(whole).not.toContain('100 widgets');
  expect(whole).toContain('<p>The last 2 turns are left out.</p></details>');
  rmSync(path);
  rmSync(dirname(file), { recursive: true });
  expect(await write()).toContain(
    '<p>Its turns are left out: the session has no subagent abc123 on this machine.</p>',
  );
});
