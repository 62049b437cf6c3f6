import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runJson } from '../../../support/machines/cli.ts';
import { createSharingWorld, writeSession } from '../../../support/machines/sharing-world.ts';
import { writeTinyModel } from '../../../support/models/tiny-model.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { line, uuidOf } from '../../../support/transcripts/claude-transcripts.ts';

it('finds other machines’ sessions by keyword in a collection with other dimensions', {
  timeout: 60_000,
}, async () => {
  const double = await startCheckedDouble();
  onTestFinished(() => double.close());
  const bare = createSharingWorld('bare', double.url);
  writeSession(bare, uuidOf('bare'), [line.user('Debounce the zebra search box'), line.assistant('Done.')]);
  expect(await runJson(bare, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
  const SMART_FORK_MODEL_DIR = await writeTinyModel(join(bare.folder, 'model'));
  const other = createSharingWorld('other', double.url, { SMART_FORK_MODEL_DIR });
  writeSession(other, uuidOf('other'), [line.user('Move the login form'), line.assistant('Moved.')]);
  await runJson(other, ['index']);
  expect(await runJson(other, ['search', 'zebra'])).toMatchObject({
    mode: 'keyword',
    notices: [{ code: 'NOT_EMBEDDED', message: expect.stringContaining('another model') }],
    results: [{ session_id: uuidOf('bare') }],
  });
});
