import { appendFileSync, chmodSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { createGeminiSource } from '../../../src/adapters/gemini/source.ts';
import { ThrowawayHome } from '../../support/machines/init-cli.ts';
import {
  geminiHead,
  geminiSession,
  ORIGIN,
  timeAt,
  writeRows,
} from '../../support/transcripts/small-agents.ts';

let home: ThrowawayHome;
afterEach(() => home.remove());

it.skipIf(process.platform === 'win32')(
  'indexes what is said after a fork at a turn, in a file whose positions are no byte offsets',
  async () => {
    home = new ThrowawayHome();
    home.write('project/.keep', '');
    home.write('.gemini/tmp/project/.project_root', home.at('project'));
    writeRows(home.at(`.gemini/tmp/project/chats/session-${ORIGIN}.jsonl`), [
      geminiHead(ORIGIN),
      ...geminiSession(),
    ]);
    home.write('bin/gemini', '#!/bin/sh\necho 0.61.0\n');
    chmodSync(`${home.bin}/gemini`, 0o755);
    await home.cli(['index']);
    await home.cli(['fork', ORIGIN, '--at', '1', '--exec']);
    const copies = createGeminiSource({ homes: [home.at('.gemini')] })
      .find()
      .filter(({ sessionId }) => sessionId !== ORIGIN);
    expect(copies).toHaveLength(1);
    await home.cli(['index']);
    expect(JSON.parse((await home.cli(['sessions', '--json'])).out).sessions).toHaveLength(1);
    const own = { id: 'own', timestamp: timeAt(40), type: 'user', content: [{ text: 'Varnish the pier' }] };
    appendFileSync(copies[0]?.path ?? '', `${JSON.stringify(own)}\n`);
    await home.cli(['index']);
    const { results } = JSON.parse((await home.cli(['search', 'varnish the pier', '--json'])).out);
    expect(results[0]).toMatchObject({ session_id: copies[0]?.sessionId, parent_session_id: ORIGIN });
  },
  60_000,
);
