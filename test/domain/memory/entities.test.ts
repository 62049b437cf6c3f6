import { describe, expect, it } from 'vitest';
import { remember, told } from './events.ts';

function entitiesOf(sentence: string): string[] {
  return remember([told.user(sentence)]).ideas[0]?.entities ?? [];
}

describe('entities of ideas', () => {
  it.each([
    ['We decided to use SQLite with sqlite-vec', 'technology:sqlite'],
    ['We decided to use postgres for the job queue', 'technology:postgresql'],
    ['We decided to run the tests with bun and playwright', 'technology:bun'],
    ['We decided to run the tests with bun and playwright', 'technology:playwright'],
    ['We need to show OpenAI Codex among the agents', 'technology:codex'],
    ['We changed from SQLite to LMDB', 'technology:lmdb'],
    ['The issue is that the ESP32 loses the SX1262 after a reset', 'technology:esp32'],
    ['The issue is that the ESP32 loses the SX1262 after a reset', 'technology:sx1262'],
    ['We decided to write the gateway in Rust', 'technology:rust'],
    ['We decided to go with what Bob said about the relay', 'person:Bob'],
    ['We need to ask Bob about the rating of the relay', 'person:Bob'],
    ['We need to port the relay logic to control-v1.1', 'project:control-v1.1'],
    ['We need to update the firmware lora-test for the new radio', 'project:lora-test'],
    ['The issue is that writes fail with SQLITE_BUSY under load', 'error:sqlite_busy'],
    ['We need to merge PR #123 before the release of the gateway', 'pull-request:#123'],
    ['We need to wait: React 19 breaks the date picker', 'technology:react'],
    ['We need to convert the build of the server to typescript', 'technology:typescript'],
    ['We need to move the job queue to AWS', 'technology:aws'],
    ['We need to restart the `gateway-api` service after each change', 'project:gateway-api'],
    ['Fixed by reverting `abc1234f` and opening the file once', 'commit:abc1234'],
  ])('finds in "%s" %s', (sentence, entity) => {
    expect(entitiesOf(sentence)).toContain(entity);
  });

  it.each([
    'We need to call `main` and `readConfig` before parseOptions runs',
    'We need to move the rust off the old gear before the go signal',
    'We need to react 19 times a day, and express 2 wishes in the spring 2026',
    'The issue is that TS2322 hides in the PR of the RFC2119 text',
    'We need to fix the build of the app before the release',
  ])('finds no technology, person or project in "%s"', (sentence) => {
    expect(entitiesOf(sentence).filter((one) => /^(?:technology|person|project|concept):/.test(one))).toEqual(
      [],
    );
  });
});
