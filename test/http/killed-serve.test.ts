import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rounds } from '../support/campaign.ts';
import { dumpStore } from '../support/files/dump-store.ts';
import { CLI, claudeLines, createWorld, type World } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { seededRandom } from '../support/random.ts';
import { makeCorpus } from '../support/transcripts/corpus.ts';

const KILLS = rounds({ quick: 1, slow: 20 });
const NEW_EACH = 6;
const MARKED = 'eeeeeeee-2222-4222-8333-444444444444';

it(`loses no confirmed mark and no line when the server is killed while indexing, ${KILLS} times`, {
  timeout: KILLS * 60_000 + 60_000,
}, async () => {
  const world = createWorld();
  const random = seededRandom(11);
  const corpus = makeCorpus(KILLS * NEW_EACH, 24);
  writeMarked(world, 1);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const served = await serveWorld([], world);
    const edit = (text: string) =>
      served.ask(`/api/v1/sessions/${MARKED}/note`, { method: 'PUT', body: { text } });
    const added = corpus.slice(kill * NEW_EACH, (kill + 1) * NEW_EACH);
    for (const { id, lines } of added)
      world.transcript(
        id,
        lines.map((line) => JSON.stringify(line)),
      );
    writeMarked(world, kill + 2);
    expect((await served.ask('/sessions/index', { body: {} })).status).toBe(202);
    const wanted = random(NEW_EACH);
    let confirmed = '';
    for (let indexed = -1, edits = 0; indexed < wanted; edits += 1) {
      confirmed = `edit ${kill}.${edits}`;
      expect((await edit(confirmed)).status).toBe(200);
      const { json } = await served.ask('/api/v1/sessions?limit=200');
      const here = new Set((json.sessions as { session_id: string }[]).map((one) => one.session_id));
      indexed = added.filter(({ id }) => here.has(id)).length;
    }
    const last = `edit ${kill}, unanswered`;
    const unanswered = edit(last).catch(() => null);
    served.process.kill('SIGKILL');
    await Promise.all([once(served.process, 'exit'), unanswered]);
    expect([confirmed, last]).toContain(noteIn(world.env.SMART_FORK_HOME ?? ''));
  }
  await world.run('index', '--no-embed');
  const kept = dumpStore(join(world.env.SMART_FORK_HOME ?? '', 'index.db'));
  const other = join(world.folder, 'other');
  const env = { ...world.env, SMART_FORK_HOME: other };
  expect(spawnSync(process.execPath, [CLI, 'index', '--no-embed'], { env }).status).toBe(0);
  const whole = dumpStore(join(other, 'index.db'));
  expect(kept.integrity).toBe('ok');
  expect(kept.points).toEqual(whole.points);
  expect(kept.chunkWords).toEqual(whole.chunkWords);
  expect(kept.sessions.map(withoutMarks)).toEqual(whole.sessions.map(withoutMarks));
  world.remove();
});

/** A session that grows. */
function writeMarked(world: World, turns: number): void {
  const said = Array.from({ length: turns }, (_, turn) => [
    { user: `Calibrate sundial number ${turn} in the rose garden` },
    { assistant: `The gnomon of number ${turn} was bent.` },
  ]);
  world.transcript(MARKED, claudeLines(MARKED, world.project, said.flat()));
}

interface Stored {
  session_id: string;
  payload: { tags: string[] };
}

function noteIn(home: string): string {
  const sessions = dumpStore(join(home, 'index.db')).sessions as Stored[];
  const note = sessions.find(({ session_id }) => session_id === MARKED)?.payload.tags ?? [];
  return note.map((tag) => /edit .*/.exec(tag)?.[0] ?? '').join('');
}

function withoutMarks(session: unknown): unknown {
  const { payload } = session as Stored;
  return { ...payload, tags: [] };
}
